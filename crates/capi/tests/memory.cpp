// Where there is no memory, the C++ header says so with std::bad_alloc, and not that an argument was wrong.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

#include "runecast.hpp"

namespace rc = runecast;

template <class Action> static bool lacks_memory(Action action) {
    try {
        action();
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

int main() {
    // Nobody writes to it, so that it takes address space alone.
    const std::size_t len = std::size_t(256) << 20;
    const std::unique_ptr<void, decltype(&std::free)> zeros(std::calloc(len, 1), std::free);
    if (!zeros) return 2;
    const std::string_view text(static_cast<const char *>(zeros.get()), len);

    // No more address space than there is now.
    std::FILE *file = std::fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (!file || std::fscanf(file, "%lu", &pages) != 1) return 3;
    std::fclose(file);
    const rlim_t now = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    const struct rlimit limit = {now, now};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 4;
    if (!lacks_memory([&] { rc::stream(rc::encoding::utf8, rc::encoding::utf8, text); })) return 5;
    if (!lacks_memory([&] { rc::offset_map{text}; })) return 6;
    if (!lacks_memory([&] { static_cast<void>(rc::to_utf16(text)); })) return 7;
    // What needs none goes on.
    if (!rc::valid(text)) return 8;
    std::puts("memory: all is well");
}
