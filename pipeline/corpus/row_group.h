/* corpus/row_group.h -- a row group's place among those of its Parquet file: the units that its rows belong to, and
 * what may be made of it before it counts as a decompression bomb.
 *
 * All of it is told by the footer, and nothing by what lies in the row groups before: who passes some of them over
 * knows of the others what who reads them all knows.
 *
 * A footer that lies, or a dictionary of long texts, makes units of much more text than was claimed.  Such a unit has
 * pieces: who has the unit reads all of it, so where they begin may depend on what is read. */
#ifndef LEAKGRAPH_CORPUS_ROW_GROUP_H
#define LEAKGRAPH_CORPUS_ROW_GROUP_H

#include <stdbool.h>
#include <stdint.h>

/* What a row counts for beside its text: texts that are the same one in a dictionary, or none, are no way to have a
 * unit of very many documents. */
enum { ROW_GROUP_ROW_COST = 64 };

struct row_group {
    uint64_t before, behind;                                /* claims of the row groups before it; and its own */
    uint32_t first_unit, last_unit;
    uint64_t free;                                          /* bytes of values that may be made of nothing */
};

/* Bytes that a row group claims of its file's units.  unpacked: of its text, as the footer says. */
uint64_t row_group_claim(uint64_t rows, uint64_t unpacked);

/* The place behind row groups that claim `before` bytes together, a sum that stays at its most.  claim: its own; 0: of
 * a row group that cannot be used.  A row group that claims less than a unit is in one of them. */
struct row_group row_group_place(uint64_t before, uint64_t claim, uint64_t unit_bytes);

/* The unit of a row when those before it in the row group make such a claim together: none behind the last, though more
 * be made of the row group than it claims. */
uint32_t row_group_unit(const struct row_group *group, uint64_t used, uint64_t unit_bytes);

/* Whether a piece whose rows make such a claim together is full: never in a file that claims what it has, where less
 * than a unit joins what is less than a unit. */
bool row_group_piece_is_full(uint64_t used, uint64_t unit_bytes);

/* Its part of what may be made of the file, which is max_ratio times its bytes, or 64 MB: by its rows, or as much as of
 * every row group, so that all of them have twice that at most.  file_rows > 0. */
uint64_t row_group_free(uint64_t file_bytes, uint32_t max_ratio, uint64_t rows, uint64_t file_rows, uint32_t groups);

/* Is it one, when so many bytes of values are made from so many of the file? */
bool row_group_is_bomb(const struct row_group *group, uint64_t made, uint64_t from, uint32_t max_ratio);

#endif
