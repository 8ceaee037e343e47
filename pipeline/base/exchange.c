/* base/exchange.c -- every rank has bytes for every other one; see comm.h.
 *
 * All lengths are told first, and all room is there, before any data moves.  Then the data of each pair of ranks goes
 * in pieces, one piece of every pair at a time: no rank has more than EXCHANGE_ROUND bytes on the way out, or on the
 * way in. */
#include "base/comm_private.h"

#include <stdlib.h>

enum {
    /* bytes to all others together, and from all others together */
    EXCHANGE_ROUND = 32 << 20,
    EXCHANGE_PIECE = 16 << 10                               /* the least for one other: what is worth a message */
};

/* Starts piece number `piece` of what goes to rank `peer`, and of what comes from it.  Adds to request[*count]. */
static int exchange_start(struct comm *comm, int peer, const struct bytes *out, const struct bytes *in, uint64_t at,
                          int piece,
                          MPI_Request *request, int *count)
{
    int code = MPI_SUCCESS;

    if (at < in->len) {
        int part = in->len - at < (uint64_t)piece ? (int)(in->len - at) : piece;

        code = MPI_Irecv(in->at + at, part, MPI_BYTE, peer, COMM_TAG_EXCHANGE, comm->group, &request[(*count)++]);
    }
    if (at < out->len && code == MPI_SUCCESS) {
        int part = out->len - at < (uint64_t)piece ? (int)(out->len - at) : piece;

        code = MPI_Isend(out->at + at, part, MPI_BYTE, peer, COMM_TAG_EXCHANGE, comm->group, &request[(*count)++]);
    }
    return code;
}

/* Moves the data; in[r].len says how much comes.  A failure here cannot be told to ranks that wait for a piece: it ends
 * the job. */
static void exchange_pieces(struct comm *comm, const struct bytes *out, const struct bytes *in, MPI_Request *request)
{
    int        piece = EXCHANGE_ROUND / (comm->size - 1), count;
    struct err err;

    if (piece < EXCHANGE_PIECE) piece = EXCHANGE_PIECE;
    for (uint64_t at = 0;; at += (uint64_t)piece) {
        int code = MPI_SUCCESS;

        count = 0;
        for (int step = 1; step < comm->size && code == MPI_SUCCESS; step++) {
            int peer = (comm->rank + step) % comm->size;    /* every rank starts with another one */

            code = exchange_start(comm, peer, &out[peer], &in[peer], at, piece, request, &count);
        }
        if (count == 0 && code == MPI_SUCCESS) return;
        if (comm_wait_all(comm, code, request, count, "exchange", &err) < 0) comm_fail(comm, "exchange", err.text);
    }
}

/* Room for what comes: come[r] bytes from rank r. */
static int exchange_reserve(const struct comm *comm, struct bytes *in, const uint64_t *come, struct err *err)
{
    for (int r = 0; r < comm->size; r++) {
        in[r].len = 0;
        if (r == comm->rank) continue;
        if (come[r] > SIZE_MAX / 4 || bytes_reserve(&in[r], (size_t)come[r]) < 0)
            return err_memory(err, come[r], "data from another rank");
        in[r].len = (size_t)come[r];
    }
    return 0;
}

int comm_exchange(struct comm *comm, struct bytes *out, struct bytes *in, struct err *err)
{
    size_t       size = (size_t)comm->size;
    /* [2 * size] what goes to each rank, what comes from each */
    uint64_t    *length = NULL;
    MPI_Request *request = NULL, counting = MPI_REQUEST_NULL;
    struct bytes own;
    int          rc = 0;

    if (size > 1) {
        length = calloc(2 * size, sizeof *length);
        request = malloc(2 * size * sizeof *request);
        rc = comm_agree(comm, length && request ? 0 : err_memory(err, 2 * size * (sizeof *length + sizeof *request),
                                                                 "an exchange"), err);
        for (size_t r = 0; rc == 0 && r < size; r++) length[r] = out[r].len;
        if (rc == 0)
            rc = comm_wait_all(comm, MPI_Ialltoall(length, 1, MPI_UINT64_T, length + size, 1, MPI_UINT64_T, comm->group,
                                                   &counting), &counting, 1,
                               "exchange", err);
        if (rc == 0) rc = comm_agree(comm, exchange_reserve(comm, in, length + size, err), err);
        for (size_t r = 0; rc == 0 && r < size; r++) comm->sent += r == (size_t)comm->rank ? 0 : out[r].len;
        if (rc == 0) exchange_pieces(comm, out, in, request);
    }
    if (rc == 0) {
        own = in[comm->rank];
        in[comm->rank] = out[comm->rank];
        out[comm->rank] = own;
        for (size_t r = 0; r < size; r++) out[r].len = 0;
    } else
        for (size_t r = 0; r < size; r++) in[r].len = 0;
    free(length);
    free(request);
    return rc;
}
