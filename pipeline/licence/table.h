/* licence/table.h -- data/licences.json as C: identifiers with their classes, names with versions, what texts say. */
#ifndef LEAKGRAPH_LICENCE_TABLE_H
#define LEAKGRAPH_LICENCE_TABLE_H

#include "licence/licence.h"

#include <stddef.h>
#include <stdint.h>

enum { LICENCE_NOTHING = UINT16_MAX, LICENCE_MUST = 4, LICENCE_NO = 10, LICENCE_TESTS = 128, LICENCE_TEXTS = 64 };

/* Identifiers of SPDX, ascending without regard to case; those that SPDX has given up, the same. */
struct licence_row { const char *id; enum licence_class class; };
struct licence_other { const char *id; uint16_t row; };

/* Places in licence_rows; without `or later` both are the same. */
struct licence_version { const char *number; uint16_t only, later; };

/* What is called by one name.  any: of no version that is said, or LICENCE_NOTHING; of: the family whose `any` says
 * nothing beside this one, its own place where there is none; versions begin at `first` in licence_versions. */
struct licence_family { const char *name; uint16_t any, of, first, count; };

/* row: one licence, or one of two.  must, no: numbers of phrases + 1, 0 behind the last. */
struct licence_text { uint16_t row[2], family, must[LICENCE_MUST], no[LICENCE_NO]; };
struct licence_exception { const char *id; enum licence_class class; uint16_t must; };

/* Phrases with which licences themselves begin, by their numbers: see `bodies` in data/licences.json. */
extern const uint16_t licence_bodies[];

/* Words with one blank between, in the order of their first words.  number: of a text's phrase; place of a family;
 * first: bytes of the first word. */
enum phrase_kind { PHRASE_TEXT, PHRASE_NAME, PHRASE_BARE };
struct licence_phrase { const char *words; enum phrase_kind kind; uint16_t number, first; };

/* Where phrases begin whose first letter is a, b, ... z; those before begin with a digit. */
enum { LICENCE_LETTERS = 26 };
extern const uint16_t licence_phrase_first[LICENCE_LETTERS + 1];

/* Of those the second letters of their first words, a bit each; bit LICENCE_LETTERS: words of one letter. */
extern const uint32_t licence_phrase_second[LICENCE_LETTERS];

extern const struct licence_row       licence_rows[];
extern const struct licence_other     licence_others[];
extern const struct licence_version   licence_versions[];
extern const struct licence_family    licence_families[];
extern const struct licence_text      licence_texts[];
extern const struct licence_exception licence_exceptions[];
extern const struct licence_phrase    licence_phrases[];

/* How words begin (signs.h): letters, digits alike; a blank: the word ends.  `domain` and `license` are among them. */
extern const char *const licence_signs[];
extern const size_t      licence_sign_count;

extern const size_t licence_row_count, licence_other_count, licence_family_count, licence_text_count,
    licence_body_count, licence_exception_count, licence_phrase_count;

#endif
