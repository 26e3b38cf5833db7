// What a text is to runecast.hpp, which includes this: encodings, bytes of whatever they come in, and what is thrown.
//
// Licensed under either of the Apache License 2.0 or the MIT License, as you choose.

#ifndef RUNECAST_TEXT_HPP
#define RUNECAST_TEXT_HPP

#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#error "runecast.hpp wants C++17; runecast.h does not"
#endif

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "runecast.h"

// What is compiled without exceptions has functions of its own, apart from those of the rest of a program that is compiled with them.
#if !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define RUNECAST_NO_EXCEPTIONS
#endif

namespace runecast {
#ifdef RUNECAST_NO_EXCEPTIONS
inline namespace without_exceptions {
#endif

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
template <> struct native<wchar_t> { static constexpr encoding value = static_cast<encoding>(RUNECAST_WCHAR); };
// A vector of bytes, as what comes out: UTF-8, if nothing else is said.
template <> struct native<unsigned char> { static constexpr encoding value = encoding::utf8; };
template <> struct native<std::byte> { static constexpr encoding value = encoding::utf8; };
#ifdef __cpp_char8_t
template <> struct native<char8_t> { static constexpr encoding value = encoding::utf8; };
#endif

// Whether something has units in one piece, as strings, vectors, spans and arrays have.
template <class Source, class Unit, class = void> struct is_piece_of : std::false_type {};
template <class Source, class Unit>
struct is_piece_of<Source, Unit, std::void_t<decltype(std::declval<const Source &>().data()),
                                             decltype(std::declval<const Source &>().size())>>
    : std::is_convertible<decltype(std::declval<const Source &>().data()), const Unit *> {};
template <class Source, class Char>
constexpr bool is_text_of =
    // (A view of nullptr would look for the zero at its end.)
    (std::is_convertible_v<const Source &, std::basic_string_view<Char>> && !std::is_null_pointer_v<Source>) ||
    is_piece_of<Source, Char>::value;

// The units that something is made of: characters, or bytes without a meaning; or void.
template <class Unit> struct named { using type = Unit; };
template <class Source> constexpr auto units() noexcept {
    if constexpr (is_text_of<Source, char>) return named<char>();
    else if constexpr (is_text_of<Source, char16_t>) return named<char16_t>();
    else if constexpr (is_text_of<Source, char32_t>) return named<char32_t>();
    else if constexpr (is_text_of<Source, wchar_t>) return named<wchar_t>();
#ifdef __cpp_char8_t
    else if constexpr (is_text_of<Source, char8_t>) return named<char8_t>();
#endif
    else if constexpr (is_piece_of<Source, unsigned char>::value) return named<unsigned char>();
    else if constexpr (is_piece_of<Source, std::byte>::value) return named<std::byte>();
    else return named<void>();
}
template <class Source> using unit_of = typename decltype(units<Source>())::type;
template <class Unit>
constexpr bool is_character =
    !std::is_void_v<Unit> && !std::is_same_v<Unit, unsigned char> && !std::is_same_v<Unit, std::byte>;

template <class Unit> constexpr bool is_byte = sizeof(std::conditional_t<std::is_void_v<Unit>, int, Unit>) == 1;

template <class Error> [[noreturn]] void raise(const Error &error) {
#ifdef RUNECAST_NO_EXCEPTIONS
    std::fprintf(stderr, "%s\n", error.what());
    std::abort();
#else
    throw error;
#endif
}

} // namespace detail

/// Bytes, of whatever they are.
class bytes {
public:
    constexpr bytes() noexcept = default;
    constexpr bytes(const void *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <class Char, class Traits>
    constexpr bytes(std::basic_string_view<Char, Traits> view) noexcept
        : data_(view.data()), size_(view.size() * sizeof(Char)) {}
    template <class Source, class Unit = detail::unit_of<Source>, std::enable_if_t<!std::is_void_v<Unit>, int> = 0>
    constexpr bytes(const Source &source) noexcept {
        if constexpr (detail::is_piece_of<Source, Unit>::value) {
            data_ = source.data();
            size_ = static_cast<std::size_t>(source.size()) * sizeof(Unit);
        } else {
            const std::basic_string_view<Unit> view = source;
            data_ = view.data();
            size_ = view.size() * sizeof(Unit);
        }
    }

    constexpr const void *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }

private:
    const void *data_ = nullptr;
    std::size_t size_ = 0;
};

/// Bytes and what they are. Made by itself from whatever is made of characters.
class text {
public:
    constexpr text(bytes data, encoding what) noexcept : bytes_(data), encoding_(what) {}
    template <class Source, class Unit = detail::unit_of<Source>, std::enable_if_t<detail::is_character<Unit>, int> = 0>
    constexpr text(const Source &source) noexcept : text(bytes(source), detail::native<Unit>::value) {}

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

#ifdef RUNECAST_NO_EXCEPTIONS
} // namespace without_exceptions
#endif
} // namespace runecast

#endif
