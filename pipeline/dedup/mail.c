/* dedup/mail.c -- small messages between the owners of documents; see state.h. */
#include "dedup/state.h"

#include <stdlib.h>

int mail_open(struct mail *mail, struct comm *comm, size_t size, struct err *err)
{
    size_t ranks = (size_t)comm_size(comm);

    *mail = (struct mail){ .comm = comm, .out = calloc(ranks, sizeof *mail->out), .in = calloc(ranks, sizeof *mail->in),
                           .size = size };
    return comm_agree(comm, mail->out && mail->in ? 0 : err_memory(err, ranks * 2 * sizeof *mail->out, "messages"),
                      err);
}

int mail_post(struct mail *mail, int rank, const void *message)
{
    mail->posted++;
    return bytes_append(&mail->out[rank], message, mail->size);
}

int mail_deliver(struct mail *mail, bool more, int (*take)(void *context, const void *message, size_t count,
                                                           struct err *err), void *context, struct err *err)
{
    uint64_t going = more;
    int      rc;

    comm_sum(mail->comm, &going, 1);
    rc = comm_exchange(mail->comm, mail->out, mail->in, err);
    for (int r = 0; rc == 0 && r < comm_size(mail->comm); r++)
        rc = take(context, mail->in[r].at, mail->in[r].len / mail->size, err);
    mail->posted = 0;
    rc = comm_agree(mail->comm, rc, err);
    return rc < 0 ? rc : going > 0;
}

void mail_close(struct mail *mail)
{
    for (int r = 0; mail->comm && r < comm_size(mail->comm); r++) {
        if (mail->out) bytes_free(&mail->out[r]);
        if (mail->in) bytes_free(&mail->in[r]);
    }
    free(mail->out);
    free(mail->in);
    *mail = (struct mail){ 0 };
}

/* One rank asks itself: no copies. */
int ask(struct comm *comm, const uint64_t *first, const uint64_t *key, uint64_t *value, size_t count,
        uint64_t (*answer)(void *context, uint64_t key), void *context, struct err *err)
{
    int           ranks = comm_size(comm), rc = 0;
    struct bytes *question = calloc((size_t)ranks, sizeof *question), *reply = calloc((size_t)ranks, sizeof *reply);
    size_t       *next = calloc((size_t)ranks, sizeof *next);

    if (ranks == 1) {
        for (size_t i = 0; i < count; i++) value[i] = answer(context, key[i]);
        goto done;
    }
    if (!question || !reply || !next) rc = err_memory(err, (size_t)ranks * 64, "questions");
    for (size_t i = 0; i < count && rc == 0; i++)
        if (bytes_append(&question[share_owner(first, ranks, key[i])], &key[i], sizeof key[i]) < 0)
            rc = err_memory(err, count * sizeof *key, "questions");
    if ((rc = comm_agree(comm, rc, err)) == 0) rc = comm_exchange(comm, question, reply, err);
    for (int r = 0; r < ranks && rc == 0; r++) {            /* each question is overwritten by its answer */
        uint64_t *at = (uint64_t *)(void *)reply[r].at;

        for (size_t i = 0; i < reply[r].len / sizeof *at; i++) at[i] = answer(context, at[i]);
    }
    if (rc == 0) rc = comm_exchange(comm, reply, question, err);
    for (size_t i = 0; i < count && rc == 0; i++) {
        int r = share_owner(first, ranks, key[i]);

        value[i] = ((const uint64_t *)(const void *)question[r].at)[next[r]++];
    }
    for (int r = 0; question && reply && r < ranks; r++) {
        bytes_free(&question[r]);
        bytes_free(&reply[r]);
    }
done:
    free(question);
    free(reply);
    free(next);
    return rc;
}
