// runecast from C: check a text, convert it, repair it, and convert a stream.
//
//     cc -std=c99 -I crates/capi/include crates/capi/examples/demo.c -L target/release -lrunecast

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runecast.h"

// Checks a text, and says what is wrong with it.
static void check(const char *name, const char *text) {
    size_t len = strlen(text);
    runecast_result result = runecast_validate(RUNECAST_UTF8, text, len);
    char line[160] = "well-formed";
    if (result.code != RUNECAST_OK) runecast_explain(&result, RUNECAST_UTF8, text, len, line, sizeof line);
    printf("%s: %s\n", name, line);
}

// Converts a text to UTF-16, into memory of exactly the length that it takes.
static void convert(const char *text) {
    size_t len = strlen(text), bytes = runecast_transcoded_len(RUNECAST_UTF8, text, len, RUNECAST_UTF16), i;
    uint16_t *units = malloc(bytes);
    runecast_result result = runecast_transcode(RUNECAST_UTF8, text, len, RUNECAST_UTF16, units, bytes);
    if (units && result.code == RUNECAST_OK) {
        printf("UTF-16:");
        for (i = 0; i < result.written / 2; i++) printf(" %04X", (unsigned)units[i]);
        printf("\n");
    }
    free(units);
}

// Repairs a text as several programs would.
static void repair(const char *text) {
    static const struct {
        const char *name;
        runecast_policy policy;
    } policies[] = {{"WHATWG", RUNECAST_REPLACE_WHATWG},
                    {"per byte", RUNECAST_REPLACE_PER_BYTE},
                    {"ICU 55", RUNECAST_REPLACE_ICU55},
                    {"escaped", RUNECAST_ESCAPE_BACKSLASH}};
    size_t i;
    for (i = 0; i < sizeof policies / sizeof *policies; i++) {
        char out[64];
        runecast_result result = runecast_transcode_lossy(RUNECAST_UTF8, text, strlen(text), RUNECAST_UTF8, out,
                                                          sizeof out, policies[i].policy);
        printf("%s: %.*s (%u replaced)\n", policies[i].name, (int)result.written, out, (unsigned)result.replaced);
    }
}

// Converts a stream of UTF-16, with a byte order mark, to UTF-8: one byte at a time.
static void stream(const char *text, size_t len) {
    runecast_stream *stream = runecast_stream_new(RUNECAST_UTF16_MARKED, RUNECAST_UTF8);
    char out[8];
    size_t i;
    if (!stream) return;
    printf("stream: ");
    for (i = 0; i < len; i++) {
        runecast_result result = runecast_stream_feed(stream, text + i, 1, out, sizeof out);
        fwrite(out, 1, result.written, stdout);
    }
    printf(" (%s)\n", runecast_encoding_name(runecast_stream_source(stream)));
    if (runecast_stream_finish(stream, out, sizeof out).code != RUNECAST_OK) printf("cut short\n");
    runecast_stream_free(stream);
}

int main(void) {
    if (runecast_abi_version() != RUNECAST_ABI_VERSION) return 1;
    check("a text", "r\xC5\xABna");
    check("another", "caf\xE9 noir");
    convert("\xE1\x9A\xB1\xF0\x9F\xAA\xA8!");
    repair("a\xF0\x80\x80\x80z");
    stream("\xFF\xFEr\0\x6B\x01n\0a\0", 10);
    return 0;
}
