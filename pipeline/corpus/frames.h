/* corpus/frames.h -- where in a .zst file decoding may begin: at its frames, of which pzstd, the seekable format and
 * files that were appended to have many.
 *
 * The format: RFC 8878, sections 3.1.1 (frames and their blocks) and 3.1.2 (frames to be skipped). */
#ifndef LEAKGRAPH_CORPUS_FRAMES_H
#define LEAKGRAPH_CORPUS_FRAMES_H

#include "corpus/input.h"

/* Where a frame begins in the file, and the decoded bytes of it: FRAME_UNMEASURED where its header does not tell. */
struct frame { uint64_t file, bytes; };
#define FRAME_UNMEASURED UINT64_MAX

/* The frames of a file that decode to something, by the lengths that they and their blocks say they have, without
 * decoding them; *frame to be freed, NULL but after 1.
 * 1: the file is frames from its first byte to its last, none of which can decode to more than `most` bytes; and at no
 * place can more than `free` bytes be decoded, and more than max_ratio times what lies before it in the file.  0: it is
 * not, a frame needs a dictionary, or they are thousands of small ones.  -EIO, -ENOMEM.  The input's stream is left
 * where it is. */
struct frame_limits { uint64_t most, free; unsigned max_ratio; };
int frames_find(struct input *input, const struct frame_limits *limits, struct frame **frame, size_t *frames,
                struct err *err);

/* Decodes them, which lie anywhere, and sets their bytes.  1; 0: one is damaged; -EIO, -ENOMEM. */
int frames_measure(struct input *input, struct frame *frame, size_t frames, struct err *err);

#endif
