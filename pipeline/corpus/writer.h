/* corpus/writer.h -- compressed files as this program writes them: frames of zstd laid end to end, there complete or
 * not at all.
 *
 * Frames are made by as many threads as there are and laid in order into one file, so a file's bytes depend on its
 * texts and the level alone (and on the version of libzstd), and whoever reads it may decode the frames side by side.
 * */
#ifndef LEAKGRAPH_CORPUS_WRITER_H
#define LEAKGRAPH_CORPUS_WRITER_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/inside.h"
#include "base/slice.h"

struct packer;                                              /* one a thread */

/* level: of zstd, 1 to 22; others are taken for the nearest.  0, or -ENOMEM with err set. */
int  packer_open(struct packer **out, int level, struct err *err);
void packer_close(struct packer *packer);                   /* accepts NULL */

/* Appends text as one whole frame, which knows its length and its checksum; an empty text is a frame too.  0, or
 * -ENOMEM with err set. */
int  packer_frame(struct packer *packer, struct slice text, struct bytes *out, struct err *err);

/* What packed bytes depend on besides text and level. */
unsigned packer_version(void);

struct writer;

/* Begins the file at a place in a run folder (base/inside.h); folders that are missing are made with its first frame,
 * and a file that has the name stays until commit. 0, or <0 with err set. */
int  writer_open(struct writer **out, const char *root, const char *place, struct err *err);
/* From now on frames of little text are put together to some of about 1 MB, packed at this level: of many small ones
 * each costs its head, and knows nothing of the text before it.  What the file's bytes depend on stays the same.  0, or
 * -ENOMEM with err set. */
int  writer_join(struct writer *writer, int level, struct err *err);
/* whole frames of packer_frame.  0, or <0 with err set */
int  writer_append(struct writer *writer, struct slice frames, struct err *err);

/* Syncs the file and gives it its name; one without a frame is none.  Ends the writer, also when it fails: then nothing
 * is left of the file.  1 with what was written in *sum, 0 when there is none, or <0 with err set. */
int  writer_commit(struct writer *writer, struct file_sum *sum, struct err *err);
void writer_abandon(struct writer *writer);                 /* accepts NULL */

/* Appends text as a JSON string with its quotes.  JSON is UTF-8, so every ill-formed sequence becomes U+FFFD.  0 or
 * -ENOMEM. */
int  json_append_string(struct bytes *out, struct slice text);

#endif
