// runecast for C++17: a header over runecast.h, and nothing to be linked but the library itself.
//
//     #include <runecast.hpp>
//
//     if (!runecast::valid(bytes)) ...                          // std::string_view: UTF-8
//     std::u16string wide = runecast::to_utf16(u8_text);        // throws runecast::error
//     std::string clean = runecast::repair(bytes);              // U+FFFD, as browsers do
//     std::string utf8 = runecast::convert({bytes, runecast::encoding::latin1});
//     if (runecast::try_convert(bytes, wide).code != RUNECAST_OK) ...   // throws nothing of its own
//
// A text is bytes and an encoding. What kind of characters something is made of tells the encoding: char is UTF-8,
// char16_t and char32_t are UTF-16 and UTF-32 of this machine, wchar_t is the one of its size, char8_t is UTF-8; any other is
// named. It may be a view, a string, a vector, a span or an array, and zeros in it are characters; only a pointer and an array
// of C, such as a literal, end at the first zero. What comes out is a string of any of these, or a vector, also of bytes.
// Nothing that comes out may lie in what is converted. Places and lengths in results and errors are in bytes, as in C.
//
// Without exceptions (-fno-exceptions) what would be thrown ends the program; functions whose names begin with try_ return it.
//
// Licensed under either of the Apache License 2.0 or the MIT License, as you choose.

#ifndef RUNECAST_HPP
#define RUNECAST_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runecast.h"
#include "runecast_text.hpp"

namespace runecast {
#ifdef RUNECAST_NO_EXCEPTIONS
inline namespace without_exceptions {
#endif

namespace detail {

// A sentence, from a function that writes it into room and says how long it is.
template <class Write> std::string sentence(Write write) {
    std::string line(write(nullptr, 0), '\0');
    write(line.data(), line.size() + 1);
    return line;
}

// Whether memory need not be filled before it is written.
template <class String, class = void> struct overwrites : std::false_type {};
#ifdef __cpp_lib_string_resize_and_overwrite
template <class Char, class Traits, class Allocator>
struct overwrites<std::basic_string<Char, Traits, Allocator>> : std::true_type {};
#endif

// A string, or a vector, of so many bytes, which `write` fills; it returns how many there are in the end.
template <class String, class Write> void fill(String &out, std::size_t size, Write write) {
    constexpr std::size_t unit = sizeof(typename String::value_type);
    const std::size_t units = (size + unit - 1) / unit;
    if constexpr (overwrites<String>::value) {
        out.resize_and_overwrite(units, [&](auto *room, std::size_t) { return write(room, units * unit) / unit; });
    } else {
        out.resize(units);
        out.resize(write(out.data(), units * unit) / unit);
    }
}

// A string of characters holds units of its size, or whatever is in bytes.
template <class String> constexpr bool matches(encoding to) noexcept {
    constexpr std::size_t unit = sizeof(typename String::value_type);
    const bool sixteen = to == encoding::utf16 || to == encoding::wtf16 || to == encoding::utf16le ||
                         to == encoding::utf16be || to == encoding::wtf16le || to == encoding::wtf16be;
    const bool thirty_two = to == encoding::utf32 || to == encoding::utf32le || to == encoding::utf32be;
    return unit == 1 || unit == (sixteen ? 2u : thirty_two ? 4u : 1u);
}

template <class String> void match(encoding to) {
    if (!matches<String>(to)) raise(std::invalid_argument("runecast: a string of other units than the encoding has"));
}

// What is said of a string that does not match.
template <class String> result refuse(String &out) {
    out.clear();
    result done{};
    done.code = RUNECAST_BAD_ARGUMENT;
    return done;
}

} // namespace detail

/// What a result says, in a sentence; with the bytes, if it is about this text.
[[nodiscard]] inline std::string explain(const result &about, const text &t) {
    return detail::sentence([&](char *out, std::size_t room) {
        return runecast_explain(&about, t.number(), t.data(), t.size(), out, room);
    });
}

namespace detail {

// Throws, unless all is well.
inline void expect(const text &about, const result &done) {
    if (done.code != RUNECAST_OK) raise(error(explain(done, about), done));
}

} // namespace detail

/// Whether a text is well-formed.
[[nodiscard]] inline bool valid(const text &t) noexcept {
    return runecast_validate(t.number(), t.data(), t.size()).code == RUNECAST_OK;
}

/// What is wrong with a text, as in C: `code` is RUNECAST_OK if nothing is.
[[nodiscard]] inline result validate(const text &t) noexcept {
    return runecast_validate(t.number(), t.data(), t.size());
}

/// Throws what is wrong with a text.
inline void check(const text &t) { detail::expect(t, validate(t)); }

/// The number of characters.
[[nodiscard]] inline std::size_t count(const text &t) noexcept { return runecast_count(t.number(), t.data(), t.size()); }

/// The bytes that a well-formed text has in another encoding.
[[nodiscard]] inline std::size_t length(const text &t, encoding to) noexcept {
    return runecast_transcoded_len(t.number(), t.data(), t.size(), detail::number(to));
}

/// Makes a string a text in another encoding, and returns what is wrong with that: then the string is what is before it.
/// RUNECAST_BAD_ARGUMENT if the string has units of another size.
template <class String>
[[nodiscard]] result try_convert(const text &t, String &out,
                                 encoding to = detail::native<typename String::value_type>::value) {
    if (!detail::matches<String>(to)) return detail::refuse(out);
    result done{};
    detail::fill(out, length(t, to), [&](void *room, std::size_t size) {
        done = runecast_transcode(t.number(), t.data(), t.size(), detail::number(to), room, size);
        return done.written;
    });
    return done;
}

/// A text in another encoding; by itself, the one of the string's characters. Throws what is wrong with it.
template <class String = std::string>
[[nodiscard]] String convert(const text &t, encoding to = detail::native<typename String::value_type>::value) {
    detail::match<String>(to);
    String out;
    detail::expect(t, try_convert(t, out, to));
    return out;
}

/// Makes a string a text in another encoding, by a policy where that is ill-formed: `replaced` is how often that was.
template <class String>
[[nodiscard]] result try_repair(const text &t, String &out, policy by = policy::whatwg,
                                encoding to = detail::native<typename String::value_type>::value) {
    if (!detail::matches<String>(to)) return detail::refuse(out);
    result done{};
    const auto write = [&](void *room, std::size_t size) {
        done = runecast_transcode_lossy(t.number(), t.data(), t.size(), detail::number(to), room, size,
                                        detail::number(by));
        return done.written;
    };
    // Mostly as much as a clean text takes; if not, what it takes.
    detail::fill(out, length(t, to) + 16, write);
    if (done.code == RUNECAST_OUTPUT_FULL) {
        const result needed = runecast_transcode_lossy_len(t.number(), t.data(), t.size(), detail::number(to),
                                                           detail::number(by));
        detail::fill(out, needed.written, write);
    }
    return done;
}

/// The same, with a text of your own, in UTF-8, in place of what is ill-formed.
template <class String>
[[nodiscard]] result try_repair(const text &t, String &out, std::string_view instead,
                                encoding to = detail::native<typename String::value_type>::value) {
    if (!detail::matches<String>(to)) return detail::refuse(out);
    result done{};
    for (std::size_t most = length(t, to) + 16;; most = 2 * most + instead.size()) {
        detail::fill(out, most, [&](void *room, std::size_t size) {
            done = runecast_transcode_with(t.number(), t.data(), t.size(), detail::number(to), room, size,
                                           instead.data(), instead.size());
            return done.written;
        });
        if (done.code != RUNECAST_OUTPUT_FULL) return done;
    }
}

/// A text in another encoding, by a policy, or with a text of your own, where it is ill-formed.
template <class String = std::string, class By = policy>
[[nodiscard]] String repair(const text &t, const By &by = policy::whatwg,
                            encoding to = detail::native<typename String::value_type>::value) {
    detail::match<String>(to);
    String out;
    detail::expect(t, try_repair(t, out, by, to));
    return out;
}

[[nodiscard]] inline std::string to_utf8(const text &t) { return convert<std::string>(t); }
[[nodiscard]] inline std::u16string to_utf16(const text &t) { return convert<std::u16string>(t); }
[[nodiscard]] inline std::u32string to_utf32(const text &t) { return convert<std::u32string>(t); }
/// UTF-16 where `wchar_t` has two bytes, as on Windows, and UTF-32 elsewhere.
[[nodiscard]] inline std::wstring to_wide(const text &t) { return convert<std::wstring>(t); }
#ifdef __cpp_char8_t
[[nodiscard]] inline std::u8string to_u8(const text &t) { return convert<std::u8string>(t); }
#endif
/// Its bytes in an encoding.
[[nodiscard]] inline std::vector<unsigned char> to_bytes(const text &t, encoding to = encoding::utf8) {
    return convert<std::vector<unsigned char>>(t, to);
}

/// The encoding of a name, if there is one.
[[nodiscard]] inline std::optional<encoding> encoding_named(std::string_view name) noexcept {
    const runecast_encoding found = runecast_encoding_named(name.data(), name.size());
    return found ? std::optional<encoding>(static_cast<encoding>(found)) : std::nullopt;
}

/// The name of an encoding.
[[nodiscard]] inline std::string_view name(encoding e) noexcept {
    const char *found = runecast_encoding_name(detail::number(e));
    return found ? found : "";
}

/// The encoding whose byte order mark a text begins with, if there is one.
[[nodiscard]] inline std::optional<encoding> marked(bytes head) noexcept {
    const runecast_encoding found = runecast_bom(head.data(), head.size());
    return found ? std::optional<encoding>(static_cast<encoding>(found)) : std::nullopt;
}

/// What bytes of unknown origin are, and how certain that is: see runecast_detect().
struct guess {
    content what;
    /// If it is text in an encoding that is known here.
    std::optional<runecast::encoding> encoding;
    /// From 0 to 100.
    unsigned confidence;
};

/// What a whole text is, or a beginning of it, which may be cut in the middle of a character.
[[nodiscard]] inline guess detect(bytes text, bool whole = true) noexcept {
    const runecast_guess found = runecast_detect(text.data(), text.size(), whole);
    guess guess{static_cast<content>(found.content), std::nullopt, found.confidence};
    if (found.encoding) guess.encoding = static_cast<encoding>(found.encoding);
    return guess;
}

/// A conversion of a text that comes in chunks. Where there is no memory for the string, what was converted last is lost. One that
/// was moved from refuses what comes (RUNECAST_BAD_ARGUMENT).
class stream {
public:
    /// One that throws what is wrong.
    stream(encoding from, encoding to)
        : stream(runecast_stream_new(detail::number(from), detail::number(to)), from, to,
                 runecast_transcode(detail::number(to), nullptr, 0, detail::number(to), nullptr, 0)) {}
    /// One that goes on, by a policy.
    stream(encoding from, encoding to, policy by)
        : stream(runecast_stream_new_lossy(detail::number(from), detail::number(to), detail::number(by)), from, to,
                 runecast_transcode_lossy(detail::number(to), nullptr, 0, detail::number(to), nullptr, 0,
                                          detail::number(by))) {}
    /// One that goes on, with a text of your own.
    stream(encoding from, encoding to, std::string_view instead)
        : stream(runecast_stream_new_with(detail::number(from), detail::number(to), instead.data(), instead.size()),
                 from, to,
                 runecast_transcode_with(detail::number(to), nullptr, 0, detail::number(to), nullptr, 0,
                                         instead.data(), instead.size())) {}

    /// The same, with another treatment of a byte order mark.
    stream &&with_bom(bom use) && {
        runecast_stream_bom(handle_.get(), static_cast<runecast_bom_use>(use));
        return std::move(*this);
    }

    /// Converts the next chunk to the end of a string, and returns what became of all of it. With an error, what is before that was
    /// appended, and the rest of the chunk begins `read` bytes after its beginning.
    template <class String> [[nodiscard]] result try_push(bytes chunk, String &out) {
        const char *from = static_cast<const char *>(chunk.data());
        return run(out, chunk.size(), [&](std::size_t read, void *room, std::size_t size) {
            return runecast_stream_feed(handle_.get(), from ? from + read : nullptr, chunk.size() - read, room, size);
        });
    }

    /// Says that there are no more chunks. With an error, the stream is behind that, and the text has ended when it is called again.
    template <class String> [[nodiscard]] result try_finish(String &out) {
        return run(out, 0, [&](std::size_t, void *room, std::size_t size) {
            return runecast_stream_finish(handle_.get(), room, size);
        });
    }

    /// The same as try_push(), but it throws errors; `replaced` in what it returns is how often a policy was asked.
    template <class String> result push(bytes chunk, String &out) {
        detail::match<String>(to_);
        const result done = try_push(chunk, out);
        if (done.code != RUNECAST_OK) detail::raise(wrong(done));
        return done;
    }

    /// Says that there are no more chunks. The stream is at the beginning of another text then, also if that throws what
    /// is wrong with this one.
    template <class String> result finish(String &out) {
        detail::match<String>(to_);
        const result done = try_finish(out);
        if (done.code != RUNECAST_OK) {
            const error found = wrong(done);
            restart();
            detail::raise(found);
        }
        return done;
    }

    /// A sentence about the last error; an empty one if there was none.
    [[nodiscard]] std::string explain() const {
        return detail::sentence(
            [&](char *line, std::size_t most) { return runecast_stream_explain(handle_.get(), line, most); });
    }

    void restart() noexcept { runecast_stream_restart(handle_.get()); }

    /// What the text is, as soon as that is known.
    std::optional<encoding> source() const noexcept {
        const runecast_encoding found = runecast_stream_source(handle_.get());
        return found ? std::optional<encoding>(static_cast<encoding>(found)) : std::nullopt;
    }

    std::uint64_t offset() const noexcept { return runecast_stream_offset(handle_.get()); }
    std::size_t waiting() const noexcept { return runecast_stream_waiting(handle_.get()); }

private:
    struct free_it {
        void operator()(runecast_stream *handle) const noexcept { runecast_stream_free(handle); }
    };

    // What became of a conversion of nothing tells wrong arguments from a lack of memory.
    stream(runecast_stream *handle, encoding from, encoding to, const runecast_result &nothing)
        : handle_(handle), to_(to) {
        if (handle) return;
        if (nothing.code == RUNECAST_OK && runecast_encoding_name(detail::number(from))) detail::raise(std::bad_alloc());
        detail::raise(std::invalid_argument("runecast: no such stream"));
    }

    // What the stream does not know of, as wrong arguments, has a word all the same.
    error wrong(const result &done) const {
        const std::string line = explain();
        return error(line.empty() ? runecast_message(done.code) : line, done);
    }

    template <class String, class Step> result run(String &out, std::size_t size, Step step) {
        using code_unit = typename String::value_type;
        result all{};
        all.code = RUNECAST_BAD_ARGUMENT;
        if (!detail::matches<String>(to_)) return all;
        for (;;) {
            code_unit room[4096 / sizeof(code_unit)];
            const result done = step(all.read, room, sizeof room);
            out.insert(out.end(), room, room + done.written / sizeof(code_unit));
            if (all.replaced == 0) all.at = done.at;
            all.read += done.read;
            all.written += done.written;
            all.replaced += done.replaced;
            all.code = done.code;
            all.code_point = done.code_point;
            all.len = done.len;
            if (done.code == RUNECAST_OUTPUT_FULL || (done.code == RUNECAST_OK && all.read < size)) continue;
            return all;
        }
    }

    std::unique_ptr<runecast_stream, free_it> handle_;
    encoding to_;
};

/// Checks a text that comes in chunks. A copy of it is a place to come back to. How far it counts, runecast_validator says.
class validator {
public:
    explicit validator(encoding what) noexcept : state_(runecast_validator_new(detail::number(what))) {}

    /// Returns what is wrong, and is then as it was.
    [[nodiscard]] result try_push(bytes chunk) noexcept {
        return runecast_validator_push(&state_, chunk.data(), chunk.size());
    }
    /// Returns that the text ends in the middle of a character, if it does.
    [[nodiscard]] result try_finish() const noexcept { return runecast_validator_finish(&state_); }
    /// The same, but they throw it.
    void push(bytes chunk) { take(try_push(chunk)); }
    void finish() const { take(try_finish()); }

    std::uint64_t offset() const noexcept { return runecast_validator_offset(&state_); }
    std::size_t waiting() const noexcept { return runecast_validator_waiting(&state_); }

private:
    void take(const runecast_result &done) const {
        detail::expect(text(bytes(), static_cast<encoding>(state_.encoding)), done);
    }

    runecast_validator state_;
};

/// Where things are in a text, as others count: a map is made once, and asked many times. It does not hold the text, which has
/// to be there, unchanged, as long as the map is asked. `std::nullopt` is the answer to all that is no place.
class offset_map {
public:
    /// Of UTF-8, in characters or bytes. Throws what is wrong with it.
    template <class Source, class Unit = detail::unit_of<Source>, std::enable_if_t<detail::is_byte<Unit>, int> = 0>
    explicit offset_map(const Source &source)
        : text_(source), handle_(runecast_map_new(chars(), text_.size())) {
        if (handle_) return;
        check({text_, encoding::utf8});
        detail::raise(std::bad_alloc());
    }
    // A string or vector that is gone at once is none to ask about.
    template <class Own, class = typename Own::allocator_type> explicit offset_map(Own &&) = delete;

    std::size_t size(unit in) const noexcept { return runecast_map_len(handle_.get(), detail::number(in)); }
    std::size_t lines() const noexcept { return runecast_map_lines(handle_.get()); }

    std::optional<std::size_t> offset(std::size_t at, unit in) const noexcept {
        return place(runecast_map_offset(handle_.get(), chars(), text_.size(), at, detail::number(in)));
    }
    std::optional<std::size_t> at_offset(std::size_t offset, unit in) const noexcept {
        return place(runecast_map_at_offset(handle_.get(), chars(), text_.size(), offset, detail::number(in)));
    }
    std::optional<runecast::position> position_of(std::size_t at, unit in) const noexcept {
        const auto found = runecast_map_position_of(handle_.get(), chars(), text_.size(), at, detail::number(in));
        if (found.line == RUNECAST_NOWHERE) return std::nullopt;
        return found;
    }
    std::optional<std::size_t> at_position(runecast::position place, unit in) const noexcept {
        return this->place(runecast_map_at_position(handle_.get(), chars(), text_.size(), place, detail::number(in)));
    }

private:
    struct free_it {
        void operator()(runecast_map *map) const noexcept { runecast_map_free(map); }
    };

    const char *chars() const noexcept { return static_cast<const char *>(text_.data()); }

    static std::optional<std::size_t> place(std::size_t found) noexcept {
        if (found == RUNECAST_NOWHERE) return std::nullopt;
        return found;
    }

    bytes text_;
    std::unique_ptr<runecast_map, free_it> handle_;
};

#ifdef RUNECAST_NO_EXCEPTIONS
} // namespace without_exceptions
#endif
} // namespace runecast

#endif
