// Where there is no memory, what would need some says so with a null pointer: the program is not ended.

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runecast.h"

int main(void) {
    // Of a map of this text 4 MB are needed; of the text none, as nobody writes to it.
    const size_t len = (size_t)256 << 20;
    char *text = calloc(len, 1);
    if (!text) return 2;
    runecast_map *map = runecast_map_new(text, len);
    if (!map || runecast_map_size(map) < 1 << 20) return 3;
    runecast_map_free(map);

    // No more address space than there is now.
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (!file || fscanf(file, "%lu", &pages) != 1) return 4;
    fclose(file);
    const rlim_t now = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
    const struct rlimit limit = {now, now};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 5;
    if (runecast_map_new(text, len) != NULL) return 6;
    // What needs none goes on.
    if (!runecast_is_utf8(text, len)) return 7;
    puts("memory: all is well");
    return 0;
}
