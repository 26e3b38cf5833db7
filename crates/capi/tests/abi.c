// Every function of the interface: with nothing, with too little room, and with texts that a naive decoder
// judges too. C99, so that the header is held to it.
//
//     abi          all of it
//     abi small    every n-th of the same texts, for a machine that is emulated

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "naive.h"

static unsigned long checks;
static size_t every = 1;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        checks++;                                                                                            \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                  \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

// Memory of exactly so many bytes, none of them initialised: a tool that looks at memory sees one too many.
static uint8_t *exactly(size_t len) {
    uint8_t *memory = malloc(len ? len : 1);
    if (!memory) exit(2);
    return memory;
}

static int same(runecast_result a, runecast_result b) {
    return a.code == b.code && a.code_point == b.code_point && a.read == b.read && a.written == b.written &&
           a.at == b.at && a.len == b.len && a.replaced == b.replaced;
}

static int empty(runecast_result r) {
    return !r.code && !r.code_point && !r.read && !r.written && !r.at && !r.len && !r.replaced;
}

static int refused(runecast_result r) {
    return r.code == RUNECAST_BAD_ARGUMENT && !r.read && !r.written && !r.at && !r.len && !r.replaced;
}

// --- the numbers, once more ------------------------------------------------------------------------------------

static void numbers(void) {
    static const uint32_t encodings[] = {
        RUNECAST_UTF8,  RUNECAST_UTF16_LE, RUNECAST_UTF16_BE,    RUNECAST_UTF32_LE,
        RUNECAST_UTF32_BE, RUNECAST_LATIN1,  RUNECAST_ASCII,     RUNECAST_WTF8,
        RUNECAST_WTF16_LE, RUNECAST_WTF16_BE, RUNECAST_GENERALIZED_UTF8, RUNECAST_CESU8,
        RUNECAST_WOBBLY_CESU8, RUNECAST_MUTF8, RUNECAST_WOBBLY_MUTF8, RUNECAST_CORRECTED_UTF8};
    static const uint32_t kinds[] = {
        RUNECAST_ILL_FORMED, RUNECAST_UNEXPECTED_CONTINUATION, RUNECAST_OVERLONG_LEAD, RUNECAST_INVALID_LEAD,
        RUNECAST_OVERLONG, RUNECAST_SURROGATE, RUNECAST_ABOVE_MAXIMUM, RUNECAST_TRUNCATED,
        RUNECAST_INCOMPLETE, RUNECAST_UNPAIRED_HIGH, RUNECAST_UNPAIRED_LOW, RUNECAST_NOT_ASCII,
        RUNECAST_SURROGATE_PAIR, RUNECAST_FOUR_BYTE_LEAD, RUNECAST_RESERVED, RUNECAST_RAW_NUL};
    uint32_t i;
    for (i = 0; i < 16; i++) CHECK(encodings[i] == i + 1);
    for (i = 0; i < 16; i++) CHECK(kinds[i] == i + 16);
    CHECK(RUNECAST_UTF16 == 32 && RUNECAST_UTF32 == 33 && RUNECAST_WTF16 == 34);
    CHECK(RUNECAST_UTF16_MARKED == 48 && RUNECAST_UTF32_MARKED == 49 && RUNECAST_WTF16_MARKED == 50);
    CHECK(RUNECAST_OK == 0 && RUNECAST_OUTPUT_FULL == 1 && RUNECAST_UNREPRESENTABLE == 2);
    CHECK(RUNECAST_BAD_ARGUMENT == 3 && RUNECAST_UNAVAILABLE == 4 && RUNECAST_INTERNAL == 5);
    CHECK(RUNECAST_REPLACE_WHATWG == 0 && RUNECAST_REPLACE_PER_BYTE == 1 && RUNECAST_REPLACE_WIN32 == 2);
    CHECK(RUNECAST_REPLACE_OPEN_JDK8 == 3 && RUNECAST_REPLACE_PYTHON2 == 4 && RUNECAST_REPLACE_PERL5 == 5);
    CHECK(RUNECAST_REPLACE_ICU55 == 6 && RUNECAST_ESCAPE_BACKSLASH == 16 && RUNECAST_ESCAPE_SURROGATE == 17);
    CHECK(RUNECAST_ESCAPE_LATIN1 == 18 && RUNECAST_ESCAPE_WINDOWS1252 == 19);
    CHECK(RUNECAST_DROP_AT_THE_RISK_OF_JOINING == 32 && RUNECAST_OMIT == 33);
    CHECK(RUNECAST_BOM_KEEP == 0 && RUNECAST_BOM_STRIP == 1 && RUNECAST_BOM_SNIFF == 2);
    CHECK(RUNECAST_REPERTOIRE_ASCII == 1 && RUNECAST_REPERTOIRE_LATIN1 == 2);
    CHECK(RUNECAST_REPERTOIRE_BMP == 3 && RUNECAST_REPERTOIRE_UNICODE == 4);
    CHECK(RUNECAST_UNIT_UTF8 == 1 && RUNECAST_UNIT_UTF16 == 2 && RUNECAST_UNIT_CHAR == 3);
    CHECK(RUNECAST_ABI_VERSION == 1 && runecast_abi_version() == 1);
    CHECK(sizeof(runecast_result) == 8 + 5 * sizeof(size_t) && sizeof(runecast_validator) == 16);
    CHECK(offsetof(runecast_result, read) == 8 && offsetof(runecast_result, replaced) == 8 + 4 * sizeof(size_t));
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", RUNECAST_VERSION_MAJOR, RUNECAST_VERSION_MINOR, RUNECAST_VERSION_PATCH);
    CHECK(strcmp(version, RUNECAST_VERSION) == 0 && strcmp(version, runecast_version()) == 0);
}

// --- names and marks -------------------------------------------------------------------------------------------

static uint32_t named(const char *name) {
    return runecast_encoding_named(name, strlen(name));
}

static void names(void) {
    static const char *const all[] = {
        "UTF-8",    "UTF-16LE", "UTF-16BE", "UTF-32LE",          "UTF-32BE", "Latin-1",       "ASCII",          "WTF-8",
        "WTF-16LE", "WTF-16BE", "generalized UTF-8", "CESU-8", "wobbly CESU-8", "modified UTF-8", "wobbly modified UTF-8",
        "Corrected UTF-8"};
    uint32_t number, known = 0;
    for (number = 1; number <= 16; number++) CHECK(!strcmp(runecast_encoding_name(number), all[number - 1]));
    CHECK(named("utf-8") == RUNECAST_UTF8 && named("UTF8") == RUNECAST_UTF8 && named("cp65001") == RUNECAST_UTF8);
    CHECK(named("utf-16le") == RUNECAST_UTF16_LE && named("UTF-16") == RUNECAST_UTF16_MARKED);
    CHECK(named("UTF-32") == RUNECAST_UTF32_MARKED && named("wtf-16") == RUNECAST_WTF16_MARKED);
    CHECK(named("latin1") == RUNECAST_LATIN1 && named("us-ascii") == RUNECAST_ASCII);
    CHECK(named("") == 0 && named("windows-1252") == 0 && named("\xFF") == 0 && named("utf-8 or so") == 0);
    CHECK(runecast_encoding_named("utf-8 or so", 5) == RUNECAST_UTF8);
    for (number = 0; number < 70; number++) {
        const char *name = runecast_encoding_name(number);
        int there = (number >= 1 && number <= 16) || (number >= 32 && number <= 34) ||
                    (number >= 48 && number <= 50);
        CHECK(!name == !there);
        if (name) {
            known++;
            CHECK(number >= 32 && number <= 34 ? named(name) < 17 : named(name) == number);
        }
    }
    CHECK(known == 22 && !strcmp(runecast_encoding_name(RUNECAST_UTF16_LE), "UTF-16LE"));
    CHECK(!strcmp(runecast_encoding_name(RUNECAST_UTF16_MARKED), "UTF-16"));
    CHECK(runecast_bom("\xEF\xBB\xBFx", 4) == RUNECAST_UTF8 && runecast_bom("\xFF\xFEx", 3) == RUNECAST_UTF16_LE);
    CHECK(runecast_bom("\xFE\xFF", 2) == RUNECAST_UTF16_BE && runecast_bom("\xFF\xFE\0", 3) == RUNECAST_UTF16_LE);
    CHECK(runecast_bom("\xFF\xFE\0\0", 4) == RUNECAST_UTF32_LE);
    CHECK(runecast_bom("\0\0\xFE\xFF", 4) == RUNECAST_UTF32_BE);
    CHECK(runecast_bom("\xEF\xBB", 2) == 0 && runecast_bom("plain", 5) == 0);
    CHECK(runecast_bom_len(RUNECAST_UTF8) == 3 && runecast_bom_len(RUNECAST_UTF16_LE) == 2);
    CHECK(runecast_bom_len(RUNECAST_UTF32_BE) == 4 && runecast_bom_len(RUNECAST_LATIN1) == 0);
    CHECK(runecast_bom_len(99) == 0);
}

// --- what bytes are ------------------------------------------------------------------------------------------

static int is_guess(runecast_guess guess, runecast_content content, runecast_encoding encoding) {
    return guess.content == content && guess.encoding == encoding && guess.confidence <= 100;
}

static void guesses(void) {
    char line[100], small[8];
    size_t len;
    uint8_t wide[200], noise[256];
    size_t i;
    CHECK(RUNECAST_TEXT == 1 && RUNECAST_MIXED == 2 && RUNECAST_UNKNOWN == 3 && RUNECAST_BINARY == 4);
    CHECK(is_guess(runecast_detect("plain", 5, true), RUNECAST_TEXT, RUNECAST_ASCII));
    CHECK(runecast_detect("plain", 5, true).confidence == 100 && runecast_detect("plain", 5, false).confidence < 100);
    CHECK(is_guess(runecast_detect("\xFF\xFEh\0i\0", 6, true), RUNECAST_TEXT, RUNECAST_UTF16_LE));
    // Cut in the middle of a character: no error in the beginning of a text.
    CHECK(is_guess(runecast_detect("r\xC5\xAB" "na \xE1\x9A", 8, false), RUNECAST_TEXT, RUNECAST_UTF8));
    CHECK(!is_guess(runecast_detect("\xE1\x9A", 2, true), RUNECAST_TEXT, RUNECAST_UTF8));
    for (i = 0; i < sizeof wide; i++) wide[i] = i % 2 ? (uint8_t)"some words, "[i / 2 % 12] : 0;
    CHECK(is_guess(runecast_detect(wide, sizeof wide, true), RUNECAST_TEXT, RUNECAST_UTF16_BE));
    for (i = 0; i < sizeof noise; i++) noise[i] = (uint8_t)(i * 167 + i * i);
    CHECK(is_guess(runecast_detect(noise, sizeof noise, true), RUNECAST_BINARY, 0));
    CHECK(is_guess(runecast_detect(NULL, 0, true), RUNECAST_TEXT, RUNECAST_ASCII));
    CHECK(runecast_detect(NULL, 1, true).content == 0 && runecast_detect("a", SIZE_MAX, true).content == 0);

    len = runecast_detect_describe("plain", 5, true, line, sizeof line);
    CHECK(len == strlen(line) && !strncmp(line, "ASCII, 100 % sure", 17));
    CHECK(runecast_detect_describe("plain", 5, true, small, sizeof small) == len && !strcmp(small, "ASCII, "));
    CHECK(runecast_detect_describe("plain", 5, true, NULL, 0) == len);
    CHECK(runecast_detect_describe(NULL, 5, true, line, sizeof line) == 0 && line[0] == 0);
}

// --- nothing, and nonsense -------------------------------------------------------------------------------------

static void nothing(void) {
    static const uint32_t wrong[] = {0, 17, 31, 35, 48, 49, 50, 63, 64, 65, 1000, UINT32_MAX};
    uint8_t out[16];
    char line[64];
    size_t i;
    uint32_t e, p;
    runecast_validator validator;
    runecast_stream *stream;
    CHECK(runecast_is_utf8(NULL, 0) && runecast_is_ascii(NULL, 0) && runecast_ascii_prefix(NULL, 0) == 0);
    CHECK(!runecast_is_utf8(NULL, 1) && !runecast_is_ascii(NULL, 1) && runecast_ascii_prefix(NULL, 1) == 0);
    CHECK(!runecast_is_utf8("a", SIZE_MAX) && runecast_bom(NULL, 0) == 0 && runecast_bom(NULL, 4) == 0);
    CHECK(runecast_encoding_named(NULL, 0) == 0 && runecast_encoding_named(NULL, 5) == 0);
    CHECK(runecast_narrow(NULL, 0) == RUNECAST_UNAVAILABLE && runecast_narrow(NULL, 1) == RUNECAST_BAD_ARGUMENT);
    for (e = 1; e <= 16; e++) {
        CHECK(empty(runecast_validate(e, NULL, 0)) && refused(runecast_validate(e, NULL, 1)));
        CHECK(refused(runecast_validate(e, "a", SIZE_MAX / 2 + 1)));
        CHECK(runecast_valid_prefix(e, NULL, 0) == 0 && runecast_valid_prefix(e, NULL, 9) == 0);
        CHECK(runecast_complete_prefix(e, NULL, 0) == 0 && runecast_complete_prefix(e, NULL, 9) == 0);
        CHECK(runecast_count(e, NULL, 0) == 0 && runecast_count(e, NULL, 9) == 0);
        CHECK(runecast_repertoire_of(e, NULL, 0) == RUNECAST_REPERTOIRE_ASCII && runecast_repertoire_of(e, NULL, 1) == 0);
        CHECK(runecast_fits(e, NULL, 0, RUNECAST_REPERTOIRE_ASCII) && !runecast_fits(e, NULL, 1, 1));
        CHECK(!runecast_fits(e, NULL, 0, 0) && !runecast_fits(e, NULL, 0, 5));
        for (p = 1; p <= 16; p++) {
            CHECK(empty(runecast_transcode(e, NULL, 0, p, NULL, 0)) && empty(runecast_transcode(e, "", 0, p, out, 9)));
            CHECK(refused(runecast_transcode(e, NULL, 1, p, out, 9)) && refused(runecast_transcode(e, "", 0, p, NULL, 1)));
            CHECK(refused(runecast_transcode(e, "abcd", 4, p, out, SIZE_MAX)));
            CHECK(empty(runecast_transcode_lossy(e, NULL, 0, p, NULL, 0, 0)));
            CHECK(refused(runecast_transcode_lossy(e, NULL, 1, p, NULL, 0, 0)));
            CHECK(refused(runecast_transcode_lossy(e, NULL, 0, p, NULL, 0, 7)));
            CHECK(empty(runecast_transcode_with(e, NULL, 0, p, NULL, 0, NULL, 0)));
            CHECK(refused(runecast_transcode_with(e, NULL, 0, p, NULL, 0, NULL, 1)));
            CHECK(refused(runecast_transcode_with(e, NULL, 0, p, NULL, 0, "\xFF", 1)));
            CHECK(runecast_transcoded_len(e, NULL, 0, p) == 0 && runecast_transcoded_len(e, NULL, 1, p) == 0);
            CHECK(runecast_max_transcoded_len(e, 0, p) == 0);
            CHECK(empty(runecast_transcode_lossy_len(e, NULL, 0, p, 0)));
            CHECK(refused(runecast_transcode_lossy_len(e, NULL, 1, p, 0)));
            CHECK(refused(runecast_transcode_lossy_len(e, NULL, 0, p, 99)));
        }
    }
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        e = wrong[i];
        CHECK(refused(runecast_validate(e, "a", 1)) && runecast_valid_prefix(e, "a", 1) == 0);
        CHECK(runecast_complete_prefix(e, "a", 1) == 0 && runecast_count(e, "a", 1) == 0);
        CHECK(runecast_repertoire_of(e, "a", 1) == 0 && !runecast_fits(e, "a", 1, 1));
        CHECK(refused(runecast_transcode(e, "a", 1, RUNECAST_UTF8, out, 16)));
        CHECK(refused(runecast_transcode(RUNECAST_UTF8, "a", 1, e, out, 16)));
        CHECK(refused(runecast_transcode_lossy(RUNECAST_UTF8, "a", 1, e, out, 16, 0)));
        CHECK(refused(runecast_transcode_with(e, "a", 1, RUNECAST_UTF8, out, 16, "?", 1)));
        CHECK(runecast_transcoded_len(e, "a", 1, RUNECAST_UTF8) == 0);
        CHECK(runecast_transcoded_len(RUNECAST_UTF8, "a", 1, e) == 0);
        CHECK(runecast_max_transcoded_len(e, 1, RUNECAST_UTF8) == 0 && runecast_max_transcoded_len(1, 1, e) == 0);
        CHECK(runecast_stream_new(RUNECAST_UTF8, e) == NULL && runecast_stream_new_lossy(1, e, 0) == NULL);
        CHECK((e >= 48 && e <= 50) || runecast_stream_new(e, RUNECAST_UTF8) == NULL);
        validator = runecast_validator_new(e);
        CHECK(refused(runecast_validator_push(&validator, "a", 1)) && refused(runecast_validator_finish(&validator)));
        CHECK(!runecast_validator_offset(&validator) && !runecast_validator_waiting(&validator));
    }
    CHECK(runecast_stream_new_lossy(1, 1, 7) == NULL && runecast_stream_new_with(1, 1, "\xFF", 1) == NULL);
    CHECK(runecast_stream_new_with(1, 1, NULL, 1) == NULL);
    runecast_stream_free(NULL);
    runecast_stream_restart(NULL);
    CHECK(refused(runecast_stream_feed(NULL, "a", 1, out, 16)) && refused(runecast_stream_finish(NULL, out, 16)));
    CHECK(runecast_stream_bom(NULL, 0) == RUNECAST_BAD_ARGUMENT && runecast_stream_source(NULL) == 0);
    CHECK(runecast_stream_offset(NULL) == 0 && runecast_stream_waiting(NULL) == 0);
    CHECK(runecast_stream_explain(NULL, line, sizeof line) == 0 && line[0] == 0);
    CHECK(refused(runecast_validator_push(NULL, "a", 1)) && refused(runecast_validator_finish(NULL)));
    CHECK(!runecast_validator_offset(NULL) && !runecast_validator_waiting(NULL));
    stream = runecast_stream_new_with(RUNECAST_UTF8, RUNECAST_UTF8, NULL, 0);
    CHECK(stream && empty(runecast_stream_feed(stream, NULL, 0, NULL, 0)));
    CHECK(refused(runecast_stream_feed(stream, NULL, 1, out, 16)) && refused(runecast_stream_feed(stream, "a", 1, NULL, 1)));
    CHECK(empty(runecast_stream_finish(stream, NULL, 0)) && refused(runecast_stream_finish(stream, NULL, 1)));
    CHECK(runecast_stream_bom(stream, 3) == RUNECAST_BAD_ARGUMENT);
    runecast_stream_free(stream);
    out[0] = 'x';
    CHECK(runecast_explain(NULL, 0, NULL, 9, (char *)out, 9) == 0 && out[0] == '\0');
    CHECK(runecast_offset(NULL, 0, 0, RUNECAST_UNIT_CHAR) == 0 && runecast_offset(NULL, 1, 0, 1) == RUNECAST_NOWHERE);
    CHECK(runecast_offset("a", 1, 0, 0) == RUNECAST_NOWHERE && runecast_at_offset(NULL, 0, 0, 1) == 0);
    CHECK(runecast_position_of(NULL, 0, 0, 3).line == 0 && runecast_position_of(NULL, 1, 0, 3).line == RUNECAST_NOWHERE);
    CHECK(runecast_at_position(NULL, 0, runecast_position_of(NULL, 0, 0, 3), 3) == 0);
}

// An output that overlaps its input is refused, whichever begins first; one right beside it is not.
static void overlaps(void) {
    // A replacement is an input, too.
    char both[32] = "a\xFF";
    CHECK(refused(runecast_transcode_with(RUNECAST_UTF8, "b\xFF", 2, RUNECAST_UTF8, both, 32, both + 8, 3)));
    CHECK(refused(runecast_transcode_with(RUNECAST_UTF8, "b\xFF", 2, RUNECAST_UTF8, both + 8, 8, both, 9)));
    CHECK(runecast_transcode_with(RUNECAST_UTF8, "b\xFF", 2, RUNECAST_UTF8, both + 8, 8, both, 1).written == 2 && both[9] == 'a');
    // And a character without a form has a length in a stream as well.
    runecast_stream *stream = runecast_stream_new(RUNECAST_UTF8, RUNECAST_LATIN1);
    runecast_result r = runecast_stream_feed(stream, "a\xE1\x9A\xB1", 4, both, 8);
    CHECK(r.code == RUNECAST_UNREPRESENTABLE && r.at == 1 && r.len == 3 && r.written == 1);
    runecast_stream_free(stream);
    uint8_t memory[64];
    size_t to;
    memset(memory, 'a', sizeof memory);
    for (to = 0; to + 8 <= 40; to++) {
        runecast_result result = runecast_transcode(RUNECAST_LATIN1, memory + 16, 8, RUNECAST_ASCII, memory + to, 8);
        int apart = to + 8 <= 16 || to >= 24;
        CHECK(apart ? result.code == RUNECAST_OK && result.written == 8 : refused(result));
    }
    CHECK(refused(runecast_transcode_lossy(RUNECAST_UTF8, memory + 8, 1, RUNECAST_UTF8, memory, 64, 0)));
    CHECK(memory[0] == 'a');
    // Nor does a sentence about a text go over it: the whole of it may have to be quoted.
    runecast_result wrong = runecast_validate(RUNECAST_UTF8, "caf\xE9 noir", 9);
    char line[64] = "caf\xE9 noir", *inside = line + 8;
    CHECK(runecast_explain(&wrong, RUNECAST_UTF8, line, 9, line, 64) == 0 && runecast_explain(&wrong, RUNECAST_UTF8, line, 9, inside, 9) == 0);
    CHECK(runecast_detect_describe(line, 9, true, line, 64) == 0 && runecast_detect_describe(line, 9, true, inside, 9) == 0);
    CHECK(!strcmp(line, "caf\xE9 noir") && runecast_explain(&wrong, RUNECAST_UTF8, line, 9, line + 9, 9) > 9 && !strcmp(line + 9, "ill-form"));
    CHECK(runecast_explain(&wrong, RUNECAST_UTF8, "", 0, line, SIZE_MAX) == 0 && line[0] == 'c');
}

// --- against the naive decoder ---------------------------------------------------------------------------------

static const uint32_t known[] = {RUNECAST_UTF8,     RUNECAST_UTF16_LE, RUNECAST_UTF16_BE, RUNECAST_UTF32_LE,
                                 RUNECAST_UTF32_BE, RUNECAST_LATIN1,   RUNECAST_ASCII};
#define KNOWN (sizeof known / sizeof *known)

// One conversion, into room of exactly that size.
static runecast_result converted(uint32_t from, const uint8_t *text, size_t len, uint32_t to, size_t room, int lossy) {
    uint8_t truth[1024], *src = exactly(len), *dst = exactly(room);
    runecast_result expected = naive_transcode(from, text, len, to, truth, room, lossy), result;
    if (len) memcpy(src, text, len);
    result = lossy ? runecast_transcode_lossy(from, src, len, to, dst, room, RUNECAST_REPLACE_WHATWG)
                   : runecast_transcode(from, src, len, to, dst, room);
    if (!same(result, expected) || memcmp(dst, truth, result.written)) {
        size_t i;
        fprintf(stderr, "%s to %s, room %zu, lossy %d:", runecast_encoding_name(from), runecast_encoding_name(to),
                room, lossy);
        for (i = 0; i < len; i++) fprintf(stderr, " %02X", text[i]);
        fprintf(stderr, "\n%u %u %zu %zu %zu %zu %zu\n%u %u %zu %zu %zu %zu %zu\n", (unsigned)result.code,
                (unsigned)result.code_point, result.read, result.written, result.at, result.len, result.replaced,
                (unsigned)expected.code, (unsigned)expected.code_point, expected.read, expected.written,
                expected.at, expected.len, expected.replaced);
    }
    CHECK(same(result, expected));
    CHECK(result.written == 0 || !memcmp(dst, truth, result.written));
    free(src);
    free(dst);
    return result;
}

// A stream over a text in chunks of so many bytes, into outputs of so many: what comes out in all.
static runecast_result streamed(runecast_stream *stream, const uint8_t *text, size_t len, size_t chunk, size_t room,
                                uint8_t *out) {
    runecast_result total, step;
    size_t at = 0;
    int finish = 0;
    memset(&total, 0, sizeof total);
    for (;;) {
        size_t rest = len - at < chunk ? len - at : chunk;
        uint8_t *src = exactly(rest), *dst = exactly(room);
        if (rest) memcpy(src, text + at, rest);
        if (rest == 0) finish = 1;
        step = finish ? runecast_stream_finish(stream, dst, room) : runecast_stream_feed(stream, src, rest, dst, room);
        CHECK(step.written <= room && step.read <= rest && step.code != RUNECAST_BAD_ARGUMENT);
        if (step.written) memcpy(out + total.written, dst, step.written);
        free(src);
        free(dst);
        at += step.read;
        total.written += step.written;
        if (step.replaced && !total.replaced) total.at = step.at;
        total.replaced += step.replaced;
        if (step.code > RUNECAST_OUTPUT_FULL) {
            total.code = step.code;
            total.code_point = step.code_point;
            total.at = step.at;
            CHECK(runecast_stream_explain(stream, NULL, 0) > 20);
            break;
        }
        CHECK(step.code == RUNECAST_OK || step.written + 6 > room || room < 6);
        if (finish && step.code == RUNECAST_OK) break;
    }
    total.read = at;
    return total;
}

static void text_in_all_ways(uint32_t from, const uint8_t *text, size_t len, size_t turn) {
    runecast_result expected = naive_validate(from, text, len), result;
    uint8_t out[1024], truth[1024], *src = exactly(len);
    size_t t, room, chunk;
    runecast_validator validator = runecast_validator_new(from);
    if (len) memcpy(src, text, len);
    result = runecast_validate(from, src, len);
    CHECK(same(result, expected));
    CHECK(runecast_valid_prefix(from, src, len) == expected.read);
    CHECK(runecast_complete_prefix(from, src, len) <= len);
    if (from == RUNECAST_UTF8) CHECK(runecast_is_utf8(src, len) == (expected.code == RUNECAST_OK));
    // In single bytes, with the same error in the end.
    for (t = 0, result.code = 0; t < len && !result.code; t++) result = runecast_validator_push(&validator, src + t, 1);
    if (!result.code) {
        CHECK(runecast_validator_offset(&validator) + runecast_validator_waiting(&validator) == len);
        result = runecast_validator_finish(&validator);
    }
    CHECK(result.code == expected.code && result.at == expected.at && result.len == expected.len);
    free(src);
    for (t = 0; t < KNOWN; t++) {
        uint32_t to = known[(t + turn) % KNOWN];
        int lossy;
        if (every > 1 && t > 1) break;
        for (lossy = 0; lossy < 2; lossy++) {
            runecast_stream *stream;
            result = converted(from, text, len, to, sizeof truth / 2, lossy);
            for (room = 0; room <= result.written + 1; room += room < 9 ? 1 : result.written / 2 + 1) {
                converted(from, text, len, to, room, lossy);
            }
            expected = naive_transcode(from, text, len, to, truth, sizeof truth, lossy);
            stream = lossy ? runecast_stream_new_lossy(from, to, RUNECAST_REPLACE_WHATWG) : runecast_stream_new(from, to);
            CHECK(stream);
            chunk = 1 + turn % 3;
            result = streamed(stream, text, len, chunk, 6 + turn % 5, out);
            CHECK(result.code == expected.code && result.code_point == expected.code_point);
            CHECK(result.at == expected.at && result.replaced == expected.replaced);
            CHECK(result.written == expected.written && !memcmp(out, truth, result.written));
            runecast_stream_free(stream);
            if (lossy) {
                runecast_result length = runecast_transcode_lossy_len(from, text, len, to, 0);
                CHECK(same(length, expected));
            } else if (expected.code == RUNECAST_OK) {
                CHECK(runecast_transcoded_len(from, text, len, to) == expected.written);
                CHECK(runecast_max_transcoded_len(from, len, to) >= expected.written);
            } else {
                CHECK(runecast_transcoded_len(from, text, len, to) >= expected.written);
            }
        }
    }
}

// All strings of up to three bytes of those where the rules change, and many of four, alone and within ASCII.
static void short_texts(void) {
    static const uint8_t edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2,
                                    0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};
    const size_t n = sizeof edges;
    size_t len, index, all, turn = 0;
    for (len = 0, all = 1; len <= 4; len++, all *= n) {
        size_t step = every * (len == 4 ? 37 : len == 3 ? 5 : 1);
        for (index = 0; index < all; index += step) {
            uint8_t text[96];
            size_t rest = index, i, before;
            runecast_result expected;
            for (i = 0; i < len; i++, rest /= n) text[i] = edges[rest % n];
            text_in_all_ways(RUNECAST_UTF8, text, len, turn++);
            // As well far from the beginning, where vectors go over it.
            before = 20 + turn % 50;
            memmove(text + before, text, len);
            memset(text, 'x', before);
            memset(text + before + len, 'y', 9);
            expected = naive_validate(RUNECAST_UTF8, text, before + len + 9);
            CHECK(same(runecast_validate(RUNECAST_UTF8, text, before + len + 9), expected));
            converted(RUNECAST_UTF8, text, before + len + 9, known[1 + turn % 4], 512, (int)(turn & 1));
        }
    }
}

// UTF-16 and UTF-32: all strings of up to three units of those where the rules change, whole and cut short.
static void wide_texts(void) {
    static const uint32_t units16[] = {0x00, 0x41, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF};
    static const uint32_t units32[] = {0x00, 0x7F, 0x80, 0xFF, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF, 0x110000, 0xFFFFFFFF};
    const size_t n = 15;
    size_t e, len, index, all, cut, turn = 0;
    for (e = 1; e <= 4; e++) {
        size_t bytes = e <= 2 ? 2 : 4;
        for (len = 0, all = 1; len <= 3; len++, all *= n) {
            for (index = 0; index < all; index += every * (len == 3 ? 7 : 1)) {
                uint8_t text[16];
                size_t rest = index, i;
                for (i = 0; i < len; i++, rest /= n) {
                    naive_put(text + i * bytes, e <= 2 ? units16[rest % n] : units32[rest % n], bytes, e % 2 == 0);
                }
                for (cut = 0; cut < bytes && cut <= len * bytes; cut++) {
                    if (cut && turn % 5) continue;
                    text_in_all_ways(known[e], text, len * bytes - cut, turn);
                }
                turn++;
            }
        }
    }
}

// --- all encodings ---------------------------------------------------------------------------------------------

// There and back, by way of every pair of encodings that have all characters of the text.
static void every_pair(void) {
    static const char *const texts[] = {"", "plain text", "d\xC3\xA9j\xC3\xA0 vu",
                                        "\xE1\x9A\xB1\xC3\xBAna \xF0\x9F\xAA\xA8\xF0\x9F\xA6\x80 \xE6\xBC\xA2"};
    size_t t;
    uint32_t a, b;
    for (t = 0; t < 4; t++) {
        size_t len = strlen(texts[t]);
        for (a = 1; a <= 16; a++) {
            uint8_t first[256], second[256], third[256];
            runecast_result there = runecast_transcode(RUNECAST_UTF8, texts[t], len, a, first, sizeof first);
            if (there.code == RUNECAST_UNREPRESENTABLE) {
                CHECK(a == RUNECAST_LATIN1 || a == RUNECAST_ASCII);
                CHECK(there.code_point > 0x7F && there.len > 1 && there.at == there.read);
                continue;
            }
            CHECK(there.code == RUNECAST_OK && runecast_validate(a, first, there.written).code == RUNECAST_OK);
            for (b = 1; b <= 16; b++) {
                runecast_result on = runecast_transcode(a, first, there.written, b, second, sizeof second), back;
                if (on.code == RUNECAST_UNREPRESENTABLE) continue;
                CHECK(on.code == RUNECAST_OK && on.read == there.written);
                CHECK(runecast_transcoded_len(a, first, there.written, b) == on.written);
                CHECK(runecast_max_transcoded_len(a, there.written, b) >= on.written);
                CHECK(runecast_count(a, first, there.written) == runecast_count(b, second, on.written));
                CHECK(runecast_repertoire_of(a, first, there.written) == runecast_repertoire_of(b, second, on.written));
                back = runecast_transcode(b, second, on.written, RUNECAST_UTF8, third, sizeof third);
                CHECK(back.code == RUNECAST_OK && back.written == len && !memcmp(third, texts[t], len));
            }
        }
    }
    CHECK(runecast_repertoire_of(RUNECAST_UTF8, "abc", 3) == RUNECAST_REPERTOIRE_ASCII);
    CHECK(runecast_repertoire_of(RUNECAST_UTF8, "\xC3\xA9", 2) == RUNECAST_REPERTOIRE_LATIN1);
    CHECK(runecast_repertoire_of(RUNECAST_UTF8, "\xE1\x9A\xB1", 3) == RUNECAST_REPERTOIRE_BMP);
    CHECK(runecast_repertoire_of(RUNECAST_UTF8, "\xF0\x9F\xAA\xA8", 4) == RUNECAST_REPERTOIRE_UNICODE);
    CHECK(runecast_fits(RUNECAST_UTF8, "\xC3\xA9", 2, RUNECAST_REPERTOIRE_LATIN1));
    CHECK(!runecast_fits(RUNECAST_UTF8, "\xC3\xA9", 2, RUNECAST_REPERTOIRE_ASCII));
    CHECK(runecast_ascii_prefix("ab\xC3", 3) == 2 && runecast_is_ascii("ab", 2) && !runecast_is_ascii("\xC3", 1));
    CHECK(runecast_complete_prefix(RUNECAST_UTF8, "ab\xE1\x9A", 4) == 2);
    CHECK(runecast_complete_prefix(RUNECAST_WTF16_LE, "a\0\x3E\xD8", 4) == 2);
    CHECK(runecast_max_transcoded_len(RUNECAST_UTF16_LE, SIZE_MAX, RUNECAST_UTF8) > SIZE_MAX / 2);
    CHECK(runecast_max_transcoded_len(RUNECAST_ASCII, SIZE_MAX, RUNECAST_UTF32_LE) == SIZE_MAX);
    // The forms of this machine are one of the two byte orders.
    {
        uint16_t unit = 0x16B1;
        uint32_t wide = 0x16B1, out = 0;
        CHECK(runecast_transcode(RUNECAST_UTF16, &unit, 2, RUNECAST_UTF32, &out, 4).written == 4 && out == wide);
    }
    // And so is that of wchar_t.
    {
        static const wchar_t wide[] = L"\u16B1\U0001FAA8";
        char out[8];
        CHECK(runecast_transcode(RUNECAST_WCHAR, wide, sizeof wide - sizeof *wide, RUNECAST_UTF8, out, 8).code == RUNECAST_OK);
        CHECK(!memcmp(out, "\xE1\x9A\xB1\xF0\x9F\xAA\xA8", 7));
    }
}

// --- policies --------------------------------------------------------------------------------------------------

static void repaired(uint32_t policy, const char *expected, size_t replaced) {
    static const char text[] = "a\xF0\x80\x80\x80z\xE2\x82";
    char out[128];
    size_t len = sizeof text - 1;
    runecast_result result = runecast_transcode_lossy(1, text, len, 1, out, sizeof out, policy);
    CHECK(result.code == RUNECAST_OK && result.read == len && result.written == strlen(expected));
    CHECK(!memcmp(out, expected, result.written) && result.replaced == replaced && result.at == 1);
    CHECK(same(result, runecast_transcode_lossy_len(1, text, len, 1, policy)));
    if (result.written) {
        char *less = (char *)exactly(result.written - 1);
        CHECK(runecast_transcode_lossy(1, text, len, 1, less, result.written - 1, policy).code == RUNECAST_OUTPUT_FULL);
        free(less);
    }
}

#define FFFD "\xEF\xBF\xBD"

// A short text that is wrong from the start, in one way.
static uint32_t rule(uint32_t encoding, const char *text, size_t len) {
    runecast_result result = runecast_validate(encoding, text, len);
    CHECK(result.at == 0 && result.read == 0 && result.len >= 1);
    return result.code;
}

// The rules that the naive decoder does not know.
static void other_rules(void) {
    CHECK(rule(RUNECAST_WTF8, "\xED\xA0\xBE\xED\xBA\xA8", 6) == RUNECAST_SURROGATE_PAIR);
    CHECK(rule(RUNECAST_CESU8, "\xF0\x9F\xAA\xA8", 4) == RUNECAST_FOUR_BYTE_LEAD);
    CHECK(rule(RUNECAST_CESU8, "\xED\xA0\xBEx", 4) == RUNECAST_UNPAIRED_HIGH);
    CHECK(rule(RUNECAST_CESU8, "\xED\xBA\xA8x", 4) == RUNECAST_UNPAIRED_LOW);
    CHECK(rule(RUNECAST_MUTF8, "\0", 1) == RUNECAST_RAW_NUL && rule(RUNECAST_WOBBLY_MUTF8, "\0", 1) == RUNECAST_RAW_NUL);
    CHECK(rule(RUNECAST_CORRECTED_UTF8, "\xFF", 1) == RUNECAST_RESERVED);
    // A stream cannot know how long such a sequence is; it passes over the rest.
    {
        char out[8];
        runecast_stream *stream = runecast_stream_new(RUNECAST_CORRECTED_UTF8, RUNECAST_UTF8);
        CHECK(runecast_validate(RUNECAST_CORRECTED_UTF8, "\xFF\xBF\xBF!", 4).len == 3);
        CHECK(runecast_stream_feed(stream, "\xFF\xBF", 2, out, 8).len == 1);
        CHECK(runecast_stream_feed(stream, "\xBF!", 2, out, 8).written == 1 && out[0] == '!');
        runecast_stream_free(stream);
    }
    CHECK(rule(RUNECAST_ASCII, "\x80", 1) == RUNECAST_NOT_ASCII);
    CHECK(runecast_valid_prefix(RUNECAST_WOBBLY_CESU8, "\xED\xA0\xBE", 3) == 3);
    CHECK(runecast_valid_prefix(RUNECAST_WOBBLY_MUTF8, "\xED\xA0\xBE", 3) == 3);
    CHECK(runecast_valid_prefix(RUNECAST_WTF8, "\xED\xA0\xBE", 3) == 3);
    CHECK(runecast_valid_prefix(RUNECAST_GENERALIZED_UTF8, "\xED\xA0\xBE\xED\xBA\xA8", 6) == 6);
    CHECK(runecast_valid_prefix(RUNECAST_WTF16_BE, "\xD8\x3E", 2) == 2);
}

static void policies(void) {
    uint8_t out[64];
    runecast_result result;
    runecast_stream *stream;
    char text[] = "<?>";
    repaired(RUNECAST_REPLACE_WHATWG, "a" FFFD FFFD FFFD FFFD "z" FFFD, 5);
    repaired(RUNECAST_REPLACE_PER_BYTE, "a" FFFD FFFD FFFD FFFD "z" FFFD FFFD, 6);
    repaired(RUNECAST_REPLACE_WIN32, "a" FFFD FFFD FFFD "z" FFFD, 4);
    repaired(RUNECAST_REPLACE_OPEN_JDK8, "a" FFFD FFFD FFFD FFFD "z" FFFD, 5);
    repaired(RUNECAST_REPLACE_PYTHON2, "a" FFFD FFFD "z" FFFD, 3);
    repaired(RUNECAST_REPLACE_PERL5, "a" FFFD FFFD FFFD FFFD "z" FFFD FFFD, 6);
    repaired(RUNECAST_REPLACE_ICU55, "a" FFFD "z" FFFD, 2);
    // A surrogate is one for Java and Perl, and three for the WHATWG; a code point that is too large is four for Java.
    result = runecast_transcode_lossy(1, "\xED\xA0\x80", 3, 1, out, sizeof out, RUNECAST_REPLACE_PERL5);
    CHECK(result.replaced == 1 && result.written == 3);
    result = runecast_transcode_lossy(1, "\xF4\x90\x80\x80", 4, 1, out, sizeof out, RUNECAST_REPLACE_PERL5);
    CHECK(result.replaced == 1 && result.written == 3);
    result = runecast_transcode_lossy(1, "\xF4\x90\x80\x80", 4, 1, out, sizeof out, RUNECAST_REPLACE_OPEN_JDK8);
    CHECK(result.replaced == 4 && result.written == 12);
    result = runecast_transcode_lossy(1, "\xED\xA0\x80", 3, 1, out, sizeof out, RUNECAST_REPLACE_OPEN_JDK8);
    CHECK(result.replaced == 1 && result.written == 3);
    result = runecast_transcode_lossy(1, "\xED\xA0\x80", 3, 1, out, sizeof out, RUNECAST_REPLACE_WHATWG);
    CHECK(result.replaced == 3 && result.written == 9);
    result = runecast_transcode_lossy(1, "\x80", 1, RUNECAST_UTF16_BE, out, sizeof out, RUNECAST_ESCAPE_SURROGATE);
    CHECK(result.written == 2 && !memcmp(out, "\xDC\x80", 2));
    // What has bytes for units has no surrogates.
    result = runecast_transcode_lossy(1, "\x80", 1, RUNECAST_WTF8, out, sizeof out, RUNECAST_ESCAPE_SURROGATE);
    CHECK(result.written == 3 && !memcmp(out, FFFD, 3));
    result = runecast_transcode_lossy(RUNECAST_UTF16_BE, "\xD8\0", 2, 1, out, sizeof out, RUNECAST_ESCAPE_BACKSLASH);
    CHECK(result.written == 8 && !memcmp(out, "\\xD8\\x00", 8));
    result = runecast_transcode_lossy(1, "\x80", 1, RUNECAST_UTF16_BE, out, sizeof out, RUNECAST_ESCAPE_LATIN1);
    CHECK(result.written == 2 && !memcmp(out, "\0\x80", 2));
    result = runecast_transcode_lossy(1, "\x80", 1, RUNECAST_UTF16_BE, out, sizeof out, RUNECAST_ESCAPE_WINDOWS1252);
    CHECK(result.written == 2 && !memcmp(out, "\x20\xAC", 2));
    repaired(RUNECAST_ESCAPE_BACKSLASH, "a\\xF0\\x80\\x80\\x80z\\xE2\\x82", 5);
    repaired(RUNECAST_DROP_AT_THE_RISK_OF_JOINING, "az", 5);
    repaired(RUNECAST_OMIT, "az", 5);
    result = runecast_transcode_lossy(1, "a\xE1\x9A\xB1\xFFz", 6, RUNECAST_ASCII, out, sizeof out, RUNECAST_OMIT);
    CHECK(result.written == 2 && !memcmp(out, "az", 2) && result.replaced == 2 && result.at == 1);
    result = runecast_transcode_with(1, "a\xFF\xFE" "b", 4, 1, out, sizeof out, text, 3);
    CHECK(result.written == 8 && !memcmp(out, "a<?><?>b", 8) && result.replaced == 2 && result.at == 1);
    result = runecast_transcode_with(1, "a\xFF", 2, RUNECAST_ASCII, out, sizeof out, "\xE1\x9A\xB1", 3);
    CHECK(result.written == 2 && !memcmp(out, "a?", 2));
    result = runecast_transcode_with(1, "a\xFF" "b", 3, 1, out, sizeof out, NULL, 0);
    CHECK(result.written == 2 && !memcmp(out, "ab", 2));
    // The stream keeps its own copy; a text longer than the room comes in pieces.
    stream = runecast_stream_new_with(1, RUNECAST_UTF16_LE, text, 3);
    memset(text, 0, sizeof text);
    result = streamed(stream, (const uint8_t *)"a\xFF" "b", 3, 1, 6, out);
    CHECK(result.written == 10 && !memcmp(out, "a\0<\0?\0>\0b\0", 10) && result.replaced == 1 && result.at == 1);
    runecast_stream_free(stream);
}

// --- streams ---------------------------------------------------------------------------------------------------

static void streams(void) {
    uint8_t out[64];
    char line[160];
    runecast_result result;
    runecast_stream *stream = runecast_stream_new(RUNECAST_UTF16_MARKED, RUNECAST_UTF8);
    CHECK(stream && runecast_stream_source(stream) == 0);
    result = streamed(stream, (const uint8_t *)"\xFF\xFEh\0i\0", 6, 1, 6, out);
    CHECK(result.code == 0 && result.written == 2 && !memcmp(out, "hi", 2));
    result = runecast_stream_feed(stream, "\xFE\xFF\0h\0", 5, out, sizeof out);
    CHECK(result.read == 5 && result.written == 1 && runecast_stream_source(stream) == RUNECAST_UTF16_BE);
    CHECK(runecast_stream_offset(stream) == 4 && runecast_stream_waiting(stream) == 1);
    runecast_stream_restart(stream);
    CHECK(runecast_stream_offset(stream) == 0 && runecast_stream_source(stream) == 0);
    runecast_stream_free(stream);

    stream = runecast_stream_new(RUNECAST_LATIN1, RUNECAST_UTF8);
    CHECK(runecast_stream_source(stream) == RUNECAST_LATIN1 && runecast_stream_bom(stream, RUNECAST_BOM_SNIFF) == 0);
    result = streamed(stream, (const uint8_t *)"\xFF\xFE\xB1\x16", 4, 3, 6, out);
    CHECK(result.written == 3 && !memcmp(out, "\xE1\x9A\xB1", 3));
    runecast_stream_free(stream);

    stream = runecast_stream_new(RUNECAST_UTF8, RUNECAST_UTF8);
    CHECK(runecast_stream_bom(stream, RUNECAST_BOM_STRIP) == 0);
    result = streamed(stream, (const uint8_t *)"\xEF\xBB\xBF" "a", 4, 1, 6, out);
    CHECK(result.written == 1 && out[0] == 'a');
    // An error quotes bytes that were in a chunk before; the stream goes on after it.
    result = runecast_stream_feed(stream, "a\xE2", 2, out, sizeof out);
    CHECK(result.code == RUNECAST_OK && result.written == 1 && runecast_stream_waiting(stream) == 1);
    CHECK(runecast_stream_explain(stream, line, sizeof line) == 0 && line[0] == 0);
    result = runecast_stream_feed(stream, "\x82!", 2, out, sizeof out);
    CHECK(result.code == RUNECAST_TRUNCATED && result.at == 1 && result.len == 2 && result.read == 1);
    CHECK(runecast_stream_explain(stream, line, sizeof line) == strlen(line) && strstr(line, "byte 1"));
    CHECK(strstr(line, "E2 82"));
    result = runecast_stream_feed(stream, "!", 1, out, sizeof out);
    CHECK(result.code == RUNECAST_OK && result.written == 1);
    CHECK(runecast_stream_explain(stream, line, sizeof line) == 0); // there is no error any more
    CHECK(runecast_stream_feed(stream, "\xFF", 1, out, sizeof out).code == RUNECAST_INVALID_LEAD);
    // Of wrong arguments there is nothing to say, nor of what was wrong before.
    CHECK(refused(runecast_stream_feed(stream, NULL, 1, out, 9)) && runecast_stream_explain(stream, line, sizeof line) == 0);
    CHECK(runecast_stream_feed(stream, "\xFF", 1, out, sizeof out).at == 5 && runecast_stream_explain(stream, NULL, 0) > 0);
    CHECK(refused(runecast_stream_finish(stream, NULL, 1)) && runecast_stream_explain(stream, line, sizeof line) == 0);
    CHECK(runecast_stream_feed(stream, "\xFF", 1, out, sizeof out).code == RUNECAST_INVALID_LEAD);
    runecast_stream_restart(stream);
    CHECK(runecast_stream_explain(stream, line, sizeof line) == 0);
    runecast_stream_free(stream);

    // Within a text a byte order mark is said to be that of the next.
    stream = runecast_stream_new(RUNECAST_UTF8, RUNECAST_UTF8);
    CHECK(runecast_stream_feed(stream, "a\xE1", 2, out, sizeof out).written == 1);
    CHECK(runecast_stream_bom(stream, RUNECAST_BOM_SNIFF) == RUNECAST_OK);
    CHECK(runecast_stream_feed(stream, "\x9A\xB1", 2, out, sizeof out).written == 3);
    CHECK(runecast_stream_feed(stream, "\xFF\xFE", 2, out, sizeof out).code == RUNECAST_INVALID_LEAD);
    runecast_stream_restart(stream);
    result = streamed(stream, (const uint8_t *)"\xFF\xFEh\0", 4, 3, 6, out);
    CHECK(result.written == 1 && out[0] == 'h');
    runecast_stream_free(stream);

    // A target that lacks a character.
    stream = runecast_stream_new(RUNECAST_UTF8, RUNECAST_LATIN1);
    result = runecast_stream_feed(stream, "a\xE1\x9A\xB1", 4, out, sizeof out);
    CHECK(result.code == RUNECAST_UNREPRESENTABLE && result.code_point == 0x16B1 && result.at == 1);
    CHECK(runecast_stream_explain(stream, line, sizeof line) && strstr(line, "U+16B1"));
    runecast_stream_free(stream);
}

static void validators(void) {
    runecast_validator validator = runecast_validator_new(RUNECAST_UTF8), zeroed, before;
    runecast_result result = runecast_validator_push(&validator, "ab\xE1\x9A", 4);
    CHECK(result.code == RUNECAST_OK && result.read == 4 && runecast_validator_offset(&validator) == 2);
    CHECK(runecast_validator_waiting(&validator) == 2);
    before = validator;
    result = runecast_validator_push(&validator, "!", 1);
    CHECK(result.code == RUNECAST_TRUNCATED && result.at == 2 && result.len == 2 && result.read == 0);
    CHECK(!memcmp(&before, &validator, sizeof validator));
    result = runecast_validator_finish(&validator);
    CHECK(result.code == RUNECAST_INCOMPLETE && result.at == 2 && result.len == 2);
    result = runecast_validator_push(&validator, "\xB1", 1);
    CHECK(result.code == RUNECAST_OK && empty(runecast_validator_finish(&validator)));
    memset(&zeroed, 0, sizeof zeroed);
    zeroed.encoding = RUNECAST_UTF16_BE;
    CHECK(runecast_validator_push(&zeroed, "\xD8", 1).code == RUNECAST_OK && runecast_validator_waiting(&zeroed) == 1);
    CHECK(runecast_validator_push(&zeroed, "\0\0a", 3).code == RUNECAST_UNPAIRED_HIGH);
    // Whatever is in it.
    memset(&zeroed, 0xA5, sizeof zeroed);
    zeroed.encoding = RUNECAST_CESU8;
    CHECK(runecast_validator_push(&zeroed, "abc", 3).code != RUNECAST_INTERNAL);
}

// --- words, offsets, engines -----------------------------------------------------------------------------------

static void words(void) {
    static const char text[] = "caf\xE9 noir";
    char line[256], shorter[256];
    runecast_result result = runecast_validate(RUNECAST_UTF8, text, 9);
    size_t len = runecast_explain(&result, RUNECAST_UTF8, text, 9, line, sizeof line), room;
    uint32_t code;
    CHECK(len == strlen(line) && strstr(line, "byte 3") && strstr(line, "E9") && strstr(line, "20"));
    for (room = 0; room <= len + 2; room++) {
        memset(shorter, 'X', sizeof shorter);
        CHECK(runecast_explain(&result, RUNECAST_UTF8, text, 9, shorter, room) == len);
        if (room == 0) CHECK(shorter[0] == 'X');
        else CHECK(strlen(shorter) == (room <= len ? room - 1 : len) && !memcmp(shorter, line, strlen(shorter)));
        CHECK(shorter[room] == 'X' || room > len);
    }
    // A sentence that is not all ASCII is cut between characters: so each of them is UTF-8.
    {
        static const char reserved[] = "\xFF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF";
        runecast_result long_one = runecast_validate(RUNECAST_CORRECTED_UTF8, reserved, sizeof reserved - 1);
        len = runecast_explain(&long_one, RUNECAST_CORRECTED_UTF8, reserved, sizeof reserved - 1, line, sizeof line);
        CHECK(long_one.code == RUNECAST_RESERVED && long_one.len == 12 && !runecast_is_ascii(line, len));
        for (room = 1; room <= len + 1; room++) {
            runecast_explain(&long_one, RUNECAST_CORRECTED_UTF8, reserved, sizeof reserved - 1, shorter, room);
            CHECK(runecast_is_utf8(shorter, strlen(shorter)) && room - strlen(shorter) <= 3);
            CHECK(!memcmp(shorter, line, strlen(shorter)));
        }
    }
    // Without the text, or with another, there is still the place.
    CHECK(runecast_explain(&result, RUNECAST_UTF8, NULL, 0, line, sizeof line) && strstr(line, "byte 3"));
    CHECK(runecast_explain(&result, RUNECAST_UTF8, "xy", 2, line, sizeof line) && strstr(line, "byte 3"));
    CHECK(runecast_explain(&result, 99, text, 9, line, sizeof line) && strstr(line, "byte 3"));
    result = runecast_transcode(RUNECAST_UTF8, "a\xE1\x9A\xB1", 4, RUNECAST_ASCII, shorter, 9);
    CHECK(result.code == RUNECAST_UNREPRESENTABLE && result.at == 1 && result.len == 3);
    CHECK(runecast_explain(&result, RUNECAST_UTF8, NULL, 0, line, sizeof line) && strstr(line, "U+16B1"));
    result = runecast_transcode(RUNECAST_UTF8, "abc", 3, RUNECAST_ASCII, shorter, 2);
    CHECK(runecast_explain(&result, RUNECAST_UTF8, NULL, 0, line, sizeof line) && strstr(line, "full"));
    result = runecast_transcode_lossy(RUNECAST_UTF8, "a\xFF", 2, RUNECAST_UTF8, shorter, 9, 0);
    CHECK(runecast_explain(&result, RUNECAST_UTF8, NULL, 0, line, sizeof line) && strstr(line, "1 replaced"));
    for (code = 0; code < 40; code++) {
        int there = code <= 5 || (code >= 16 && code <= 31);
        CHECK(!strcmp(runecast_message(code), "an unknown code") == !there && *runecast_message(code));
    }
    CHECK(!strcmp(runecast_message(UINT32_MAX), "an unknown code"));
}

static void offsets(void) {
    static const char text[] = "\xE1\x9A\xB1\n\xF0\x9F\xAA\xA8!"; // 3 bytes, LF, 4 bytes, 1
    runecast_position place;
    CHECK(runecast_offset(text, 9, 8, RUNECAST_UNIT_UTF16) == 4 && runecast_offset(text, 9, 8, RUNECAST_UNIT_CHAR) == 3);
    CHECK(runecast_offset(text, 9, 8, RUNECAST_UNIT_UTF8) == 8);
    CHECK(runecast_offset(text, 9, 5, RUNECAST_UNIT_CHAR) == RUNECAST_NOWHERE);
    CHECK(runecast_offset(text, 9, 10, RUNECAST_UNIT_CHAR) == RUNECAST_NOWHERE);
    CHECK(runecast_offset(text, 7, 0, RUNECAST_UNIT_CHAR) == RUNECAST_NOWHERE); // ill-formed
    CHECK(runecast_at_offset(text, 9, 4, RUNECAST_UNIT_UTF16) == 8);
    CHECK(runecast_at_offset(text, 9, 3, RUNECAST_UNIT_UTF16) == RUNECAST_NOWHERE);
    place = runecast_position_of(text, 9, 8, RUNECAST_UNIT_UTF16);
    CHECK(place.line == 1 && place.column == 2 && runecast_at_position(text, 9, place, RUNECAST_UNIT_UTF16) == 8);
    place.column = 9;
    CHECK(runecast_at_position(text, 9, place, RUNECAST_UNIT_UTF16) == RUNECAST_NOWHERE);
    CHECK(runecast_position_of(text, 9, 6, RUNECAST_UNIT_UTF16).column == RUNECAST_NOWHERE);
}

// A map of a text of all lengths of characters and all line breaks, asked for every place, against a walk.
static void maps(void) {
    static const char *const pieces[] = {"a", "\xC3\xA9", "\xE1\x9A\xB1", "\xF0\x9F\xAA\xA8", "\n", "\r\n", "\r", "word "};
    static char text[20000];
    size_t len = 0, at, chars = 0, units = 0, line = 0, column = 0;
    uint32_t random = 1;
    runecast_map *map;
    while (len < sizeof text - 8) {
        const char *piece;
        random = random * 1664525u + 1013904223u;
        piece = pieces[(random >> 24) % (len % 4096 < 1024 ? 1 : 8)]; // stretches of nothing but ASCII, too
        memcpy(text + len, piece, strlen(piece));
        len += strlen(piece);
    }
    map = runecast_map_new(text, len);
    CHECK(map && runecast_map_size(map) < len / 20 + 400);
    for (at = 0; at <= len; at++) {
        const uint8_t byte = at < len ? (uint8_t)text[at] : 0;
        runecast_position place = runecast_map_position_of(map, text, len, at, RUNECAST_UNIT_CHAR);
        if ((byte & 0xC0) == 0x80) {
            CHECK(runecast_map_offset(map, text, len, at, RUNECAST_UNIT_CHAR) == RUNECAST_NOWHERE);
            CHECK(place.line == RUNECAST_NOWHERE && place.column == RUNECAST_NOWHERE);
            continue;
        }
        CHECK(runecast_map_offset(map, text, len, at, RUNECAST_UNIT_UTF8) == at);
        CHECK(runecast_map_offset(map, text, len, at, RUNECAST_UNIT_CHAR) == chars);
        CHECK(runecast_map_offset(map, text, len, at, RUNECAST_UNIT_UTF16) == units);
        CHECK(runecast_map_at_offset(map, text, len, chars, RUNECAST_UNIT_CHAR) == at);
        CHECK(runecast_map_at_offset(map, text, len, units, RUNECAST_UNIT_UTF16) == at);
        if (!(at > 0 && byte == '\n' && text[at - 1] == '\r')) { // in the middle of a line break there is no place
            CHECK(place.line == line && place.column == column);
            CHECK(runecast_map_at_position(map, text, len, place, RUNECAST_UNIT_CHAR) == at);
        }
        if (at == len) break;
        chars++;
        units += byte >= 0xF0 ? 2 : 1;
        column++;
        if (byte == '\n' || (byte == '\r' && text[at + 1] != '\n')) {
            line++;
            column = 0;
        }
    }
    CHECK(runecast_map_len(map, RUNECAST_UNIT_CHAR) == chars && runecast_map_len(map, RUNECAST_UNIT_UTF16) == units);
    CHECK(runecast_map_len(map, RUNECAST_UNIT_UTF8) == len && runecast_map_lines(map) == line + 1);
    CHECK(runecast_map_offset(map, text, len, len + 1, RUNECAST_UNIT_CHAR) == RUNECAST_NOWHERE);
    // Another text, and what is no map, no text, no unit.
    CHECK(runecast_map_offset(map, text, len - 1, 0, RUNECAST_UNIT_CHAR) == RUNECAST_NOWHERE);
    CHECK(runecast_map_offset(map, NULL, len, 0, RUNECAST_UNIT_CHAR) == RUNECAST_NOWHERE);
    CHECK(runecast_map_offset(map, text, len, 0, 77) == RUNECAST_NOWHERE && runecast_map_len(map, 77) == 0);
    CHECK(runecast_map_offset(NULL, text, len, 0, RUNECAST_UNIT_CHAR) == RUNECAST_NOWHERE);
    CHECK(runecast_map_len(NULL, RUNECAST_UNIT_CHAR) == 0 && runecast_map_lines(NULL) == 0 && runecast_map_size(NULL) == 0);
    runecast_map_free(map);
    runecast_map_free(NULL);
    CHECK(!runecast_map_new("\xFF", 1) && !runecast_map_new(NULL, 1));
    map = runecast_map_new(NULL, 0);
    CHECK(map && runecast_map_offset(map, NULL, 0, 0, RUNECAST_UNIT_CHAR) == 0 && runecast_map_lines(map) == 1);
    runecast_map_free(map);
}

// Every kernel of this CPU, chosen by name, says the same.
static void engines(void) {
    const char *best = runecast_engine(), *name;
    size_t index;
    char text[300];
    CHECK(best && runecast_engine_available(0) && !runecast_engine_available(1000));
    CHECK(runecast_narrow("mmx", 3) == RUNECAST_UNAVAILABLE && !strcmp(runecast_engine(), best));
    memset(text, 'a', sizeof text);
    text[299] = '\x80';
    for (index = 0; (name = runecast_engine_available(index)) != NULL; index++) {
        CHECK(runecast_narrow(name, strlen(name)) == RUNECAST_OK && !strcmp(runecast_engine(), name));
        CHECK(runecast_valid_prefix(RUNECAST_UTF8, text, sizeof text) == 299);
        printf("%s ", name);
    }
    CHECK(!strcmp(runecast_engine(), "scalar"));
    CHECK(runecast_narrow(best, strlen(best)) == RUNECAST_OK);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "small")) every = 41;
    numbers();
    names();
    guesses();
    nothing();
    overlaps();
    every_pair();
    other_rules();
    policies();
    streams();
    validators();
    words();
    offsets();
    maps();
    short_texts();
    wide_texts();
    engines();
    printf("%lu checks\n", checks);
    return 0;
}
