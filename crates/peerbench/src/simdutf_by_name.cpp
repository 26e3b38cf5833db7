// simdutf, one implementation by its name.
//
// The library chooses the best implementation for the CPU by itself. For a comparison of equals,
// AVX2 with AVX2, the caller asks here for "haswell" or "westmere", keeps the pointer, and calls
// through it: one virtual call, the same as the library makes behind its own functions.

#include <cstddef>
#include <string>

#include "simdutf.h"

extern "C" {

// The implementation `name`, or null if the library lacks it or the CPU cannot run it.
const void *peerbench_simdutf_find(const char *name) {
  const simdutf::implementation *found =
      simdutf::get_available_implementations()[std::string(name)];
  return found && found->supported_by_runtime_system() ? found : nullptr;
}

// The implementation that the library chose.
const void *peerbench_simdutf_active() {
  // Until the first use the pointer leads to a stand-in that detects: use it, then look.
  bool ascii = simdutf::validate_ascii("", 0);
  const simdutf::implementation *active = simdutf::get_active_implementation();
  return ascii ? active : nullptr;
}

// Writes the name of `implementation`, cut to `room` bytes; returns its length.
size_t peerbench_simdutf_name(const void *implementation, char *out, size_t room) {
  const std::string name = static_cast<const simdutf::implementation *>(implementation)->name();
  return name.copy(out, room);
}

bool peerbench_simdutf_validate_utf8(const void *implementation, const char *text, size_t len) {
  return static_cast<const simdutf::implementation *>(implementation)->validate_utf8(text, len);
}

// The offset of the first error, or `len`.
size_t peerbench_simdutf_utf8_prefix(const void *implementation, const char *text, size_t len) {
  const simdutf::result result =
      static_cast<const simdutf::implementation *>(implementation)
          ->validate_utf8_with_errors(text, len);
  return result.error == simdutf::error_code::SUCCESS ? len : result.count;
}

bool peerbench_simdutf_validate_ascii(const void *implementation, const char *text, size_t len) {
  return static_cast<const simdutf::implementation *>(implementation)->validate_ascii(text, len);
}

// The offset of the first byte that is not ASCII, or `len`.
size_t peerbench_simdutf_ascii_prefix(const void *implementation, const char *text, size_t len) {
  const simdutf::result result =
      static_cast<const simdutf::implementation *>(implementation)
          ->validate_ascii_with_errors(text, len);
  return result.error == simdutf::error_code::SUCCESS ? len : result.count;
}

// The functions of one signature differ only in name and units. Those that validate convert strictly:
// at an error they return 0. The lengths and counts take valid text for granted.
#define PEERBENCH_CONVERSION(method, source, target)                                               \
  size_t peerbench_simdutf_convert_##method(const void *implementation, const source *src,         \
                                            size_t len, target *dst) {                             \
    return static_cast<const simdutf::implementation *>(implementation)                            \
        ->convert_##method(src, len, dst);                                                         \
  }

PEERBENCH_CONVERSION(utf8_to_utf16le, char, char16_t)
PEERBENCH_CONVERSION(utf8_to_utf32, char, char32_t)
PEERBENCH_CONVERSION(utf8_to_latin1, char, char)
PEERBENCH_CONVERSION(utf16le_to_utf8, char16_t, char)
PEERBENCH_CONVERSION(utf16le_to_utf32, char16_t, char32_t)
PEERBENCH_CONVERSION(utf16le_to_latin1, char16_t, char)
PEERBENCH_CONVERSION(utf32_to_utf8, char32_t, char)
PEERBENCH_CONVERSION(utf32_to_utf16le, char32_t, char16_t)
PEERBENCH_CONVERSION(utf32_to_latin1, char32_t, char)
PEERBENCH_CONVERSION(latin1_to_utf8, char, char)
PEERBENCH_CONVERSION(latin1_to_utf16le, char, char16_t)
PEERBENCH_CONVERSION(latin1_to_utf32, char, char32_t)

void peerbench_simdutf_change_endianness_utf16(const void *implementation, const char16_t *src,
                                               size_t len, char16_t *dst) {
  static_cast<const simdutf::implementation *>(implementation)
      ->change_endianness_utf16(src, len, dst);
}

// Also where `dst` is `src`: the library allows that.
void peerbench_simdutf_to_well_formed_utf16(const void *implementation, const char16_t *src,
                                            size_t len, char16_t *dst) {
  static_cast<const simdutf::implementation *>(implementation)
      ->to_well_formed_utf16le(src, len, dst);
}

#define PEERBENCH_MEASURE(answer, method, source)                                                  \
  answer peerbench_simdutf_##method(const void *implementation, const source *src, size_t len) {   \
    return static_cast<const simdutf::implementation *>(implementation)->method(src, len);         \
  }

PEERBENCH_MEASURE(bool, validate_utf16le, char16_t)
PEERBENCH_MEASURE(bool, validate_utf32, char32_t)
PEERBENCH_MEASURE(size_t, count_utf8, char)
PEERBENCH_MEASURE(size_t, count_utf16le, char16_t)
PEERBENCH_MEASURE(size_t, utf16_length_from_utf8, char)
PEERBENCH_MEASURE(size_t, utf8_length_from_utf16le, char16_t)
PEERBENCH_MEASURE(size_t, utf8_length_from_utf32, char32_t)
PEERBENCH_MEASURE(size_t, utf8_length_from_latin1, char)
}
