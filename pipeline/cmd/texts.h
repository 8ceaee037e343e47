/* cmd/texts.h -- the texts of the files, folders, archives and shards of a command line, one after the other. */
#ifndef LEAKGRAPH_CMD_TEXTS_H
#define LEAKGRAPH_CMD_TEXTS_H

#include "corpus/record.h"

struct texts {
    const char    *command;                                 /* in messages */
    struct dataset dataset;                                 /* language and fields, as texts_option has set them */
    uint32_t       want_fields;                             /* of struct batch */
    /* Is given each record.  0; what texts_reject returns; <0 with err set, which ends the reading. */
    int          (*take)(void *context, const struct shard *shard, const struct batch *batch,
                         const struct record *record, struct err *err);
    void          *context;
    uint64_t       taken, refused, rejected, rejects_said;  /* out; refused: by texts_reject, among those rejected */
    struct skips   skipped;                                 /* out: what folders and archives hold beside sources */
};

/* --language NAME and --field NAME=FIELD, whose values are borrowed.  1; 0: it is another option; -EINVAL with err
 * set. */
int texts_option(struct texts *texts, const char *option, const char *value, struct err *err);

/* For `take`: a record that is none to it, told and counted as those that could not be read.  1. */
int texts_reject(struct texts *texts, const struct shard *shard, const struct record *record, const char *why);

/* Appends `; 3 files passed over (2 binary, 1 link)`, or nothing where none were.  0 or -ENOMEM. */
int texts_say_skipped(const struct texts *texts, struct bytes *out);

/* Reads them all.  What is no record is warned of, the first ones by name, and is -EBADMSG at the end; -EINVAL where no
 * record at all has its text where it was looked for.  0, or <0 with err set. */
int texts_read(struct texts *texts, char **file, size_t count, struct err *err);

#endif
