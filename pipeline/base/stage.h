/* base/stage.h -- committed units: what makes every kill survivable.
 *
 * Work is cut in units.  A unit's output is a function of its inputs only, or where several units add up, what they add
 * up to is.  It lies in one file DIR/work/KIND-KEY.unit, and appears there by rename, complete and checksummed, or not
 * at all.  Its key is a hash of everything it depends on, so that a changed option, shard or version never meets an old
 * unit.  A damaged file is never used: it is reported, removed and redone. Temporary names are unique per process; of
 * two processes that make the same unit, either's file serves. */
#ifndef LEAKGRAPH_BASE_STAGE_H
#define LEAKGRAPH_BASE_STAGE_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct unit_key { uint64_t low, high; };

/* Folds a value into a key (xxh3-128 of key, length and bytes).  Start from {0, 0}. */
struct unit_key unit_key_add(struct unit_key key, const void *at, size_t len);

struct stage;

/* Opens the run folder `dir` (made with its parents when missing) and dir/work.  With `own`, takes the folder's lock
 * (flock on work/lock; rank 0 only), waiting up to 30 s (LEAKGRAPH_PATIENCE when shorter) for a dying predecessor;
 * -EBUSY names its host and process.  0, -EBUSY, -EIO, -EACCES, -ENOMEM with err set. */
int  stage_open(struct stage **out, const char *dir, bool own, struct err *err);
void stage_close(struct stage *stage);                      /* releases the lock; accepts NULL */
/* removes every unit (--clean); with the lock, temporaries too */
int  stage_clear(struct stage *stage, struct err *err);

/* Commits sections as one unit; each starts at a multiple of 64 in the file.  0, -EIO, -ENOSPC, -ENOMEM with err set.
 */
int  stage_commit(struct stage *stage, const char *kind, struct unit_key key, const struct slice *section, size_t count,
                  struct err *err);
/* The same; those sections where mapped[i] lie in files (aside.h), and are left to the cache while they are read.
 * mapped NULL: none. */
int  stage_commit_mapped(struct stage *stage, const char *kind, struct unit_key key, const struct slice *section,
                         const bool *mapped, size_t count, struct err *err);

/* Maps a committed unit read-only and verifies its checksum, key and kind.  1; 0 when there is none (or a damaged one,
 * which is logged and removed); <0 with err set.  section[i] points into the mapping, valid until unit_close.  Any
 * number of units may be open; tiny ones, and some of very many, are copies (mapped: it is none). */
struct unit { void *map; uint64_t bytes; struct slice *section; size_t count; bool mapped; };
int  stage_load(struct stage *stage, const char *kind, struct unit_key key, struct unit *out, struct err *err);
/* The same without reading the content for its checksum: for a unit that this process has loaded before, or of which it
 * wants the first sections only and which is loaded before anything else is believed. */
int  stage_map(struct stage *stage, const char *kind, struct unit_key key, struct unit *out, struct err *err);
/* Removes a unit that nobody will ask for again; one that is not there is removed already.  0, -EIO with err set. */
int  stage_remove(struct stage *stage, const char *kind, struct unit_key key, struct err *err);
/* Removes all units of a kind, whoever has made them under whatever key. */
int  stage_remove_kind(struct stage *stage, const char *kind, struct err *err);
void unit_close(struct unit *unit);                         /* accepts a zeroed unit */

/* So many places of a mapped unit will be read, which lie anywhere.  Where they are many, all of it is mapped at once,
 * which costs a tenth of as many page faults; where they are few, nothing is read ahead around them. */
void unit_expect(const struct unit *unit, uint64_t places);
/* Gives the pages of a mapped unit back to the system's cache: they no longer count for this process, and are there
 * again when looked at. */
void unit_forget(const struct unit *unit);
/* The same of what lies before `at`, once that is much: for who goes through a unit.  *behind: up to where it was done,
 * NULL at first. */
void unit_forget_before(const struct unit *unit, const void *at, const char **behind);

/* Verifies one unit file by path, for fsck: 0, or -EBADMSG / -EIO with err naming what is wrong and at which byte. */
int  unit_verify(const char *path, struct err *err);

const char *stage_dir(const struct stage *stage);

#endif
