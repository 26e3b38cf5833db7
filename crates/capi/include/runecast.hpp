// runecast for C++17: a header over runecast.h, and nothing to be linked but the library itself.
//
//     #include <runecast.hpp>
//
//     if (!runecast::valid(bytes)) ...                          // std::string_view: UTF-8
//     std::u16string wide = runecast::to_utf16(u8_text);        // throws runecast::error
//     std::string clean = runecast::repair(bytes);              // U+FFFD, as browsers do
//     std::string utf8 = runecast::convert({bytes, runecast::encoding::latin1});
//
// A text is bytes and an encoding. What kind of characters a view is made of tells the encoding: char is UTF-8,
// char16_t and char32_t are UTF-16 and UTF-32 of this machine, wchar_t is the one of its size, char8_t is UTF-8; any other is
// named. What comes out is a string of any of these, or a vector of bytes. Places and lengths in
// results and errors are in bytes, as in C.
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

namespace runecast {

/// The encodings of runecast.h.
enum class encoding : runecast_encoding {
    utf8 = RUNECAST_UTF8,
    utf16le = RUNECAST_UTF16_LE,
    utf16be = RUNECAST_UTF16_BE,
    utf32le = RUNECAST_UTF32_LE,
    utf32be = RUNECAST_UTF32_BE,
    latin1 = RUNECAST_LATIN1,
    ascii = RUNECAST_ASCII,
    wtf8 = RUNECAST_WTF8,
    wtf16le = RUNECAST_WTF16_LE,
    wtf16be = RUNECAST_WTF16_BE,
    generalized_utf8 = RUNECAST_GENERALIZED_UTF8,
    cesu8 = RUNECAST_CESU8,
    wobbly_cesu8 = RUNECAST_WOBBLY_CESU8,
    mutf8 = RUNECAST_MUTF8,
    wobbly_mutf8 = RUNECAST_WOBBLY_MUTF8,
    corrected_utf8 = RUNECAST_CORRECTED_UTF8,
    utf16 = RUNECAST_UTF16,
    utf32 = RUNECAST_UTF32,
    wtf16 = RUNECAST_WTF16,
    utf16_marked = RUNECAST_UTF16_MARKED,
    utf32_marked = RUNECAST_UTF32_MARKED,
    wtf16_marked = RUNECAST_WTF16_MARKED,
};

/// The policies of runecast.h.
enum class policy : runecast_policy {
    whatwg = RUNECAST_REPLACE_WHATWG,
    per_byte = RUNECAST_REPLACE_PER_BYTE,
    win32 = RUNECAST_REPLACE_WIN32,
    open_jdk8 = RUNECAST_REPLACE_OPEN_JDK8,
    python2 = RUNECAST_REPLACE_PYTHON2,
    perl5 = RUNECAST_REPLACE_PERL5,
    icu55 = RUNECAST_REPLACE_ICU55,
    escape_backslash = RUNECAST_ESCAPE_BACKSLASH,
    escape_surrogate = RUNECAST_ESCAPE_SURROGATE,
    escape_latin1 = RUNECAST_ESCAPE_LATIN1,
    escape_windows1252 = RUNECAST_ESCAPE_WINDOWS1252,
    drop_at_the_risk_of_joining = RUNECAST_DROP_AT_THE_RISK_OF_JOINING,
    omit = RUNECAST_OMIT,
};

/// What bytes of unknown origin may be.
enum class content : runecast_content {
    text = RUNECAST_TEXT,
    mixed = RUNECAST_MIXED,
    unknown = RUNECAST_UNKNOWN,
    binary = RUNECAST_BINARY,
};

/// What a stream does with a byte order mark.
enum class bom : runecast_bom_use {
    keep = RUNECAST_BOM_KEEP,
    strip = RUNECAST_BOM_STRIP,
    sniff = RUNECAST_BOM_SNIFF,
};

/// What offsets and columns are counted in.
enum class unit : runecast_unit {
    utf8 = RUNECAST_UNIT_UTF8,
    utf16 = RUNECAST_UNIT_UTF16,
    character = RUNECAST_UNIT_CHAR,
};

using position = runecast_position;
using result = runecast_result;

namespace detail {

constexpr runecast_encoding number(encoding e) { return static_cast<runecast_encoding>(e); }
constexpr runecast_policy number(policy p) { return static_cast<runecast_policy>(p); }
constexpr runecast_unit number(unit u) { return static_cast<runecast_unit>(u); }

// The encoding that characters of a type are in.
template <class Char> struct native;
template <> struct native<char> { static constexpr encoding value = encoding::utf8; };
template <> struct native<char16_t> { static constexpr encoding value = encoding::utf16; };
template <> struct native<char32_t> { static constexpr encoding value = encoding::utf32; };
// Two bytes on Windows, four elsewhere.
template <> struct native<wchar_t> {
    static constexpr encoding value = sizeof(wchar_t) == 2 ? encoding::utf16 : encoding::utf32;
};
// A vector of bytes, as what comes out: UTF-8, if nothing else is said.
template <> struct native<unsigned char> { static constexpr encoding value = encoding::utf8; };
template <> struct native<std::byte> { static constexpr encoding value = encoding::utf8; };
#ifdef __cpp_char8_t
template <> struct native<char8_t> { static constexpr encoding value = encoding::utf8; };
#endif

// Whether something is a view of such characters.
template <class Source, class Char>
using is_text_of = std::is_convertible<const Source &, std::basic_string_view<Char>>;
template <class Source>
struct is_text
    : std::disjunction<is_text_of<Source, char>, is_text_of<Source, char16_t>, is_text_of<Source, char32_t>,
                       is_text_of<Source, wchar_t>
#ifdef __cpp_char8_t
                       , is_text_of<Source, char8_t>
#endif
                       > {};

// Whether something is a row of bytes without a meaning: a vector or span of unsigned char or std::byte.
template <class Source, class = void> struct is_bytes : std::false_type {};
template <class Source>
struct is_bytes<Source, std::void_t<decltype(std::declval<const Source &>().data()),
                                    decltype(std::declval<const Source &>().size())>>
    : std::disjunction<std::is_convertible<decltype(std::declval<const Source &>().data()), const unsigned char *>,
                       std::is_convertible<decltype(std::declval<const Source &>().data()), const std::byte *>> {};

} // namespace detail

/// Bytes, of whatever they are.
class bytes {
public:
    constexpr bytes() noexcept = default;
    constexpr bytes(const void *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <class Char, class Traits>
    constexpr bytes(std::basic_string_view<Char, Traits> view) noexcept
        : data_(view.data()), size_(view.size() * sizeof(Char)) {}
    template <class Source, std::enable_if_t<detail::is_text_of<Source, char>::value, int> = 0>
    constexpr bytes(const Source &source) noexcept : bytes(std::string_view(source)) {}
    template <class Source, std::enable_if_t<detail::is_text_of<Source, char16_t>::value, int> = 0>
    constexpr bytes(const Source &source) noexcept : bytes(std::u16string_view(source)) {}
    template <class Source, std::enable_if_t<detail::is_text_of<Source, char32_t>::value, int> = 0>
    constexpr bytes(const Source &source) noexcept : bytes(std::u32string_view(source)) {}
    template <class Source, std::enable_if_t<detail::is_text_of<Source, wchar_t>::value, int> = 0>
    constexpr bytes(const Source &source) noexcept : bytes(std::wstring_view(source)) {}
#ifdef __cpp_char8_t
    template <class Source, std::enable_if_t<detail::is_text_of<Source, char8_t>::value, int> = 0>
    constexpr bytes(const Source &source) noexcept : bytes(std::basic_string_view<char8_t>(source)) {}
#endif
    template <class Source, std::enable_if_t<detail::is_bytes<Source>::value, int> = 0>
    constexpr bytes(const Source &source) noexcept : data_(source.data()), size_(source.size()) {}

    constexpr const void *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }

private:
    const void *data_ = nullptr;
    std::size_t size_ = 0;
};

/// Bytes and what they are. Made by itself from views of char (UTF-8), char16_t and char32_t.
class text {
public:
    constexpr text(bytes data, encoding what) noexcept : bytes_(data), encoding_(what) {}
    template <class Source, std::enable_if_t<detail::is_text_of<Source, char>::value, int> = 0>
    constexpr text(const Source &source) noexcept : text(bytes(source), encoding::utf8) {}
    template <class Source, std::enable_if_t<detail::is_text_of<Source, char16_t>::value, int> = 0>
    constexpr text(const Source &source) noexcept : text(bytes(source), encoding::utf16) {}
    template <class Source, std::enable_if_t<detail::is_text_of<Source, char32_t>::value, int> = 0>
    constexpr text(const Source &source) noexcept : text(bytes(source), encoding::utf32) {}
    template <class Source, std::enable_if_t<detail::is_text_of<Source, wchar_t>::value, int> = 0>
    constexpr text(const Source &source) noexcept : text(bytes(source), detail::native<wchar_t>::value) {}
#ifdef __cpp_char8_t
    template <class Source, std::enable_if_t<detail::is_text_of<Source, char8_t>::value, int> = 0>
    constexpr text(const Source &source) noexcept
        : text(bytes(std::basic_string_view<char8_t>(source)), encoding::utf8) {}
#endif

    constexpr const void *data() const noexcept { return bytes_.data(); }
    constexpr std::size_t size() const noexcept { return bytes_.size(); }
    constexpr runecast_encoding number() const noexcept { return detail::number(encoding_); }

private:
    bytes bytes_;
    encoding encoding_;
};

/// What is wrong with a text: the rule that is broken, the place, and a sentence about it.
class error : public std::runtime_error {
public:
    error(const std::string &what, const runecast_result &result) : std::runtime_error(what), result_(result) {}

    /// RUNECAST_TRUNCATED and so on.
    runecast_code code() const noexcept { return result_.code; }
    /// The place, in bytes.
    std::size_t at() const noexcept { return result_.at; }
    /// How many bytes it takes.
    std::size_t size() const noexcept { return result_.len; }
    const runecast_result &result() const noexcept { return result_; }

private:
    runecast_result result_;
};

namespace detail {

// A sentence, from a function that writes it into room and says how long it is.
template <class Write> std::string sentence(Write write) {
    std::string line(write(nullptr, 0), '\0');
    write(line.data(), line.size() + 1);
    return line;
}

[[noreturn]] inline void fail(const text &about, const runecast_result &result) {
    throw error(sentence([&](char *out, std::size_t room) {
                    return runecast_explain(&result, about.number(), about.data(), about.size(), out, room);
                }),
                result);
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
template <class String> void match(encoding to) {
    constexpr std::size_t unit = sizeof(typename String::value_type);
    const bool sixteen = to == encoding::utf16 || to == encoding::wtf16 || to == encoding::utf16le ||
                         to == encoding::utf16be || to == encoding::wtf16le || to == encoding::wtf16be;
    const bool thirty_two = to == encoding::utf32 || to == encoding::utf32le || to == encoding::utf32be;
    if (unit != 1 && unit != (sixteen ? 2u : thirty_two ? 4u : 1u)) {
        throw std::invalid_argument("runecast: a string of other units than the encoding has");
    }
}

} // namespace detail

/// Whether a text is well-formed.
inline bool valid(const text &t) noexcept {
    return runecast_validate(t.number(), t.data(), t.size()).code == RUNECAST_OK;
}

/// What is wrong with a text, as in C: `code` is RUNECAST_OK if nothing is.
inline result validate(const text &t) noexcept { return runecast_validate(t.number(), t.data(), t.size()); }

/// Throws what is wrong with a text.
inline void check(const text &t) {
    const result found = validate(t);
    if (found.code != RUNECAST_OK) detail::fail(t, found);
}

/// The number of characters.
inline std::size_t count(const text &t) noexcept { return runecast_count(t.number(), t.data(), t.size()); }

/// The bytes that a well-formed text has in another encoding.
inline std::size_t length(const text &t, encoding to) noexcept {
    return runecast_transcoded_len(t.number(), t.data(), t.size(), detail::number(to));
}

/// A text in another encoding; by itself, the one of the string's characters. Throws what is wrong with it.
template <class String = std::string>
String convert(const text &t, encoding to = detail::native<typename String::value_type>::value) {
    detail::match<String>(to);
    String out;
    result done{};
    detail::fill(out, length(t, to), [&](void *room, std::size_t size) {
        done = runecast_transcode(t.number(), t.data(), t.size(), detail::number(to), room, size);
        return done.written;
    });
    if (done.code != RUNECAST_OK) detail::fail(t, done);
    return out;
}

/// A text in another encoding, by a policy where it is ill-formed.
template <class String = std::string>
String repair(const text &t, policy by = policy::whatwg,
              encoding to = detail::native<typename String::value_type>::value) {
    detail::match<String>(to);
    String out;
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
    if (done.code != RUNECAST_OK) detail::fail(t, done);
    return out;
}

inline std::string to_utf8(const text &t) { return convert<std::string>(t); }
inline std::u16string to_utf16(const text &t) { return convert<std::u16string>(t); }
inline std::u32string to_utf32(const text &t) { return convert<std::u32string>(t); }
/// UTF-16 where `wchar_t` has two bytes, as on Windows, and UTF-32 elsewhere.
inline std::wstring to_wide(const text &t) { return convert<std::wstring>(t); }
#ifdef __cpp_char8_t
inline std::u8string to_u8(const text &t) { return convert<std::u8string>(t); }
#endif
/// Its bytes in an encoding.
inline std::vector<unsigned char> to_bytes(const text &t, encoding to = encoding::utf8) {
    return convert<std::vector<unsigned char>>(t, to);
}

/// The encoding of a name, if there is one.
inline std::optional<encoding> encoding_named(std::string_view name) noexcept {
    const runecast_encoding found = runecast_encoding_named(name.data(), name.size());
    return found ? std::optional<encoding>(static_cast<encoding>(found)) : std::nullopt;
}

/// The name of an encoding.
inline std::string_view name(encoding e) noexcept {
    const char *found = runecast_encoding_name(detail::number(e));
    return found ? found : "";
}

/// The encoding whose byte order mark a text begins with, if there is one.
inline std::optional<encoding> marked(bytes head) noexcept {
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
inline guess detect(bytes text, bool whole = true) noexcept {
    const runecast_guess found = runecast_detect(text.data(), text.size(), whole);
    guess guess{static_cast<content>(found.content), std::nullopt, found.confidence};
    if (found.encoding) guess.encoding = static_cast<encoding>(found.encoding);
    return guess;
}

/// A conversion of a text that comes in chunks.
class stream {
public:
    /// One that throws what is wrong.
    stream(encoding from, encoding to)
        : stream(runecast_stream_new(detail::number(from), detail::number(to)), to) {}
    /// One that goes on, by a policy.
    stream(encoding from, encoding to, policy by)
        : stream(runecast_stream_new_lossy(detail::number(from), detail::number(to), detail::number(by)), to) {}
    /// One that goes on, with a text of your own.
    stream(encoding from, encoding to, std::string_view replacement)
        : stream(runecast_stream_new_with(detail::number(from), detail::number(to), replacement.data(),
                                          replacement.size()),
                 to) {}

    /// The same, with another treatment of a byte order mark.
    stream &&with_bom(bom use) && {
        runecast_stream_bom(handle_.get(), static_cast<runecast_bom_use>(use));
        return std::move(*this);
    }

    /// Converts the next chunk to the end of a string. If that throws, what is before the error was appended, and
    /// the rest of the chunk begins `error.result().read` bytes after its beginning.
    template <class String> void push(bytes chunk, String &out) {
        const char *from = static_cast<const char *>(chunk.data());
        run(out, chunk.size(), [&](std::size_t read, void *room, std::size_t size) {
            return runecast_stream_feed(handle_.get(), chunk.size() ? from + read : nullptr, chunk.size() - read,
                                        room, size);
        });
    }

    /// Says that there are no more chunks. The stream is at the beginning of another text then, also if that throws what
    /// is wrong with this one.
    template <class String> void finish(String &out) {
        try {
            run(out, 0, [&](std::size_t, void *room, std::size_t size) {
                return runecast_stream_finish(handle_.get(), room, size);
            });
        } catch (const error &) {
            restart();
            throw;
        }
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

    stream(runecast_stream *handle, encoding to) : handle_(handle), to_(to) {
        if (!handle) throw std::invalid_argument("runecast: no such stream, or no memory for one");
    }

    template <class String, class Step> void run(String &out, std::size_t size, Step step) {
        using code_unit = typename String::value_type;
        detail::match<String>(to_);
        std::size_t read = 0;
        for (;;) {
            code_unit room[4096 / sizeof(code_unit)];
            runecast_result done = step(read, room, sizeof room);
            out.append(room, done.written / sizeof(code_unit));
            read += done.read;
            if (done.code == RUNECAST_OK && read == size) return;
            if (done.code != RUNECAST_OK && done.code != RUNECAST_OUTPUT_FULL) {
                done.read = read;
                throw error(detail::sentence([&](char *line, std::size_t most) {
                                return runecast_stream_explain(handle_.get(), line, most);
                            }),
                            done);
            }
        }
    }

    std::unique_ptr<runecast_stream, free_it> handle_;
    encoding to_;
};

/// Checks a text that comes in chunks. A copy of it is a place to come back to. How far it counts, runecast_validator says.
class validator {
public:
    explicit validator(encoding what) noexcept : state_(runecast_validator_new(detail::number(what))) {}

    /// Throws what is wrong, and is then as it was.
    void push(bytes chunk) { take(runecast_validator_push(&state_, chunk.data(), chunk.size())); }
    /// Throws if the text ends in the middle of a character.
    void finish() const { take(runecast_validator_finish(&state_)); }

    std::uint64_t offset() const noexcept { return runecast_validator_offset(&state_); }
    std::size_t waiting() const noexcept { return runecast_validator_waiting(&state_); }

private:
    void take(const runecast_result &done) const {
        if (done.code != RUNECAST_OK) detail::fail(text(bytes(), static_cast<encoding>(state_.encoding)), done);
    }

    runecast_validator state_;
};

/// Where things are in a text, as others count: a map is made once, and asked many times. It does not hold the text, which has
/// to be there, unchanged, as long as the map is asked. `std::nullopt` is the answer to all that is no place.
class offset_map {
public:
    /// Throws what is wrong with the text.
    explicit offset_map(std::string_view text) : text_(text), handle_(runecast_map_new(text.data(), text.size())) {
        if (handle_) return;
        check(text);
        throw std::bad_alloc();
    }

    std::size_t size(unit in) const noexcept { return runecast_map_len(handle_.get(), detail::number(in)); }
    std::size_t lines() const noexcept { return runecast_map_lines(handle_.get()); }

    std::optional<std::size_t> offset(std::size_t at, unit in) const noexcept {
        return place(runecast_map_offset(handle_.get(), text_.data(), text_.size(), at, detail::number(in)));
    }
    std::optional<std::size_t> at_offset(std::size_t offset, unit in) const noexcept {
        return place(runecast_map_at_offset(handle_.get(), text_.data(), text_.size(), offset, detail::number(in)));
    }
    std::optional<runecast::position> position_of(std::size_t at, unit in) const noexcept {
        const auto found = runecast_map_position_of(handle_.get(), text_.data(), text_.size(), at, detail::number(in));
        if (found.line == RUNECAST_NOWHERE) return std::nullopt;
        return found;
    }
    std::optional<std::size_t> at_position(runecast::position place, unit in) const noexcept {
        return this->place(runecast_map_at_position(handle_.get(), text_.data(), text_.size(), place, detail::number(in)));
    }

private:
    struct free_it {
        void operator()(runecast_map *map) const noexcept { runecast_map_free(map); }
    };

    static std::optional<std::size_t> place(std::size_t found) noexcept {
        if (found == RUNECAST_NOWHERE) return std::nullopt;
        return found;
    }

    std::string_view text_;
    std::unique_ptr<runecast_map, free_it> handle_;
};

} // namespace runecast

#endif
