// Calls two static libraries of Rust.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runecast.h"

uint32_t other_sum(uint32_t end);

int main(void) {
    uint8_t units[8];
    const runecast_result done = runecast_transcode(RUNECAST_UTF8, "r\xC5\xABn", 4, RUNECAST_UTF16_LE, units, sizeof units);
    const char expected[] = "r\0\x6B\1n";
    const int right = done.code == RUNECAST_OK && done.written == 6 && memcmp(units, expected, 6) == 0;
    runecast_stream *stream = runecast_stream_new(RUNECAST_UTF8, RUNECAST_UTF16_LE);
    printf("%d %d %u\n", right, stream != NULL, (unsigned)other_sum(10));
    runecast_stream_free(stream);
    return 0;
}
