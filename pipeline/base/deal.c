/* base/deal.c -- items dealt to ranks as they ask; see comm.h.
 *
 * A rank other than 0 sends ASK, REPORT, STOP and at last CLOSE; rank 0 sends ITEM, NONE, PULSE and at last END.  Every
 * message has the same shape and tag, so two ranks see each other's messages in the order they were sent.  That is the
 * whole argument for a clean end: CLOSE is the last message of a rank and END the last of rank 0, so that when both
 * have been read nothing of this deal is left under way, and the next deal may use the same communicator.
 *
 * Sends never wait: each peer has a few slots for messages that MPI has not taken yet.  When none is free, a report is
 * left out, while an answer stays due and goes with the next poll. */
#include "base/comm_private.h"

#include "base/log.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum deal_word { WORD_ASK = 1, WORD_REPORT, WORD_STOP, WORD_CLOSE, WORD_ITEM, WORD_NONE, WORD_PULSE, WORD_END };

enum { DEAL_TAG = 2, DEAL_SLOTS = 4 };

#define DEAL_REPORT_EVERY 0.5                               /* seconds */

struct deal_message { uint64_t word, item; struct deal_progress progress; };
_Static_assert(sizeof(struct deal_message) == 48, "wire format");

struct deal_slot { MPI_Request request; struct deal_message message; };

/* One rank, as rank 0 sees it; the others know one peer, rank 0. */
struct deal_peer {
    struct deal_slot     slot[DEAL_SLOTS];
    struct deal_progress progress;
    double               heard, told;                       /* when its last message came, when the last one went */
    bool                 asks, closed, ended;               /* asks: an answer is due; ended: END has gone */
};

struct deal {
    struct comm         *comm;
    /* rank 0: [comm->size], its own unused but for progress; others: [1] */
    struct deal_peer    *peer;
    uint64_t             count, next;                       /* rank 0: items not yet dealt are next..count-1 */
    /* nothing more is dealt (rank 0), or this rank has failed */
    bool                 stopped;
    bool                 asked, have, none, end;            /* others: ASK is out; an item came; NONE came; END came */
    uint64_t             item;
    struct deal_progress mine;
    double               reported;
    /* seconds after which a rank that has closed hears from rank 0 again */
    double               pulse;
};

static void deal_check(struct deal *deal, int code)
{
    char text[MPI_MAX_ERROR_STRING];

    if (code == MPI_SUCCESS) return;
    comm_error_text(code, text);
    comm_fail(deal->comm, "dealing work", text);
}

/* ---- sending and hearing ---- */

/* False when every slot is still under way. */
static bool deal_send(struct deal *deal, struct deal_peer *peer, int rank, enum deal_word word, uint64_t item)
{
    for (size_t i = 0; i < DEAL_SLOTS; i++) {
        struct deal_slot *slot = &peer->slot[i];
        int               free_now = 1;

        deal_check(deal, MPI_Test(&slot->request, &free_now, MPI_STATUS_IGNORE));
        if (!free_now) continue;
        slot->message = (struct deal_message){ word, item, deal->mine };
        deal_check(deal, MPI_Isend(&slot->message, sizeof slot->message, MPI_BYTE, rank, DEAL_TAG, deal->comm->deals,
                                   &slot->request));
        peer->told = log_seconds();
        return true;
    }
    return false;
}

/* Rank 0 answers a rank that asked, and tells one that has closed that it is not alone. */
static void deal_serve(struct deal *deal, int rank, double now)
{
    struct deal_peer *peer = &deal->peer[rank];
    bool              item = !deal->stopped && deal->next < deal->count;

    if (peer->asks && deal_send(deal, peer, rank, item ? WORD_ITEM : WORD_NONE, deal->next)) {
        deal->next += item;
        peer->asks = false;
    }
    if (peer->closed && !peer->ended && now - peer->told > deal->pulse) deal_send(deal, peer, rank, WORD_PULSE, 0);
}

static void deal_take(struct deal *deal, int rank, const struct deal_message *message)
{
    struct deal_peer *peer = &deal->peer[deal->comm->rank ? 0 : rank];

    peer->heard = log_seconds();
    if (deal->comm->rank == 0) peer->progress = message->progress;
    switch ((enum deal_word)message->word) {
    case WORD_ASK:    peer->asks = true; break;
    case WORD_STOP:   deal->stopped = true; break;
    case WORD_CLOSE:  peer->closed = true; break;
    case WORD_ITEM:   deal->asked = false; deal->have = true; deal->item = message->item; break;
    case WORD_NONE:   deal->asked = false; deal->none = true; break;
    case WORD_END:    deal->end = true; break;
    case WORD_REPORT:
    case WORD_PULSE:  break;                                /* a sign of life */
    }
}

/* Takes every message that has come; rank 0 then sends what is due. */
static void deal_listen(struct deal *deal)
{
    struct comm        *comm = deal->comm;
    struct deal_message message;
    MPI_Status          status;
    int                 here = 1;

    while (here) {
        deal_check(deal, MPI_Iprobe(MPI_ANY_SOURCE, DEAL_TAG, comm->deals, &here, &status));
        if (!here) break;
        deal_check(deal, MPI_Recv(&message, sizeof message, MPI_BYTE, status.MPI_SOURCE, DEAL_TAG, comm->deals,
                                  MPI_STATUS_IGNORE));
        deal_take(deal, status.MPI_SOURCE, &message);
    }
    if (comm->rank == 0) {
        double now = log_seconds();

        for (int rank = 1; rank < comm->size; rank++) deal_serve(deal, rank, now);
    }
}

/* Ends the job when `peer` has not been heard of for too long, and nobody else would notice that it is dead. */
static void deal_watch(struct deal *deal, const struct deal_peer *peer, int rank)
{
    char text[96];

    if (deal->comm->watched || log_seconds() - peer->heard <= deal->comm->patience) return;
    snprintf(text, sizeof text, "rank %d has not been heard of for %.0f s (LEAKGRAPH_PATIENCE)", rank,
             deal->comm->patience);
    comm_fail(deal->comm, "dealing work", text);
}

/* ---- the calls ---- */

int deal_open(struct deal **out, struct comm *comm, uint64_t count, struct err *err)
{
    struct deal *deal = calloc(1, sizeof *deal);
    size_t       peers = comm->rank == 0 ? (size_t)comm->size : 1;
    int          rc = 0;

    assert(!comm->dealing);
    *out = NULL;
    if (deal) deal->peer = calloc(peers, sizeof *deal->peer);
    if (!deal || !deal->peer) rc = err_memory(err, sizeof *deal + peers * sizeof *deal->peer, "dealing work");
    if ((rc = comm_agree(comm, rc, err)) < 0) {
        if (deal) free(deal->peer);
        free(deal);
        return rc;
    }
    deal->comm = comm;
    deal->count = count;
    deal->pulse = comm->patience / 8 < 1 ? comm->patience / 8 : 1;
    for (size_t i = 0; i < peers; i++) {
        deal->peer[i].heard = log_seconds();
        for (size_t s = 0; s < DEAL_SLOTS; s++) deal->peer[i].slot[s].request = MPI_REQUEST_NULL;
    }
    comm->dealing = true;
    *out = deal;
    return 0;
}

enum deal_answer deal_next(struct deal *deal, uint64_t *item)
{
    if (deal->comm->rank == 0) {
        deal_poll(deal);                                    /* a STOP may have come */
        if (deal->stopped || deal->next == deal->count) return DEAL_NONE;
        *item = deal->next++;
        return DEAL_ITEM;
    }
    if (deal->none || deal->stopped) return DEAL_NONE;
    deal_listen(deal);
    if (deal->have) {
        deal->have = false;
        *item = deal->item;
        return DEAL_ITEM;
    }
    if (deal->none) return DEAL_NONE;
    if (!deal->asked && deal_send(deal, deal->peer, 0, WORD_ASK, 0)) {
        deal->asked = true;
        deal->peer->heard = log_seconds();                  /* its silence counts from the question on */
    }
    if (deal->asked) deal_watch(deal, deal->peer, 0);
    return DEAL_WAIT;
}

void deal_poll(struct deal *deal)
{
    if (deal->comm->size > 1) deal_listen(deal);
}

void deal_stop(struct deal *deal)
{
    unsigned pause = 0;

    if (deal->stopped) return;
    deal->stopped = true;
    if (deal->comm->rank)
        while (!deal_send(deal, deal->peer, 0, WORD_STOP, 0)) comm_pause(&pause);
}

void deal_report(struct deal *deal, const struct deal_progress *mine)
{
    double now = log_seconds();

    deal->mine = *mine;
    if (deal->comm->rank == 0) {
        deal->peer->progress = *mine;
    } else if (now - deal->reported >= DEAL_REPORT_EVERY) {
        deal->reported = now;
        deal_send(deal, deal->peer, 0, WORD_REPORT, 0);     /* none free: the next one will say more */
    }
}

struct deal_progress deal_total(const struct deal *deal)
{
    struct deal_progress total = { 0 };
    int                  peers = deal->comm->rank == 0 ? deal->comm->size : 1;

    if (deal->comm->rank) return deal->mine;
    for (int rank = 0; rank < peers; rank++) {
        const struct deal_progress *of = &deal->peer[rank].progress;

        total.items += of->items;
        total.bytes += of->bytes;
        total.records += of->records;
        total.rejected += of->rejected;
    }
    return total;
}

/* ---- the end ---- */

/* Rank 0 serves until the last CLOSE, then sends END to all. */
static void deal_end_first(struct deal *deal)
{
    unsigned pause = 0;
    int      ended = 0;

    while (ended < deal->comm->size - 1) {
        int open = 0;

        deal_listen(deal);
        for (int rank = 1; rank < deal->comm->size; rank++) open += !deal->peer[rank].closed;
        for (int rank = 1; rank < deal->comm->size; rank++) {
            struct deal_peer *peer = &deal->peer[rank];

            if (!peer->closed) deal_watch(deal, peer, rank);
            else if (!open && !peer->ended && deal_send(deal, peer, rank, WORD_END, 0)) {
                peer->ended = true;
                ended++;
            }
        }
        if (ended < deal->comm->size - 1) comm_pause(&pause);
    }
}

static void deal_end_other(struct deal *deal)
{
    unsigned pause = 0;

    deal->peer->heard = log_seconds();
    while (!deal_send(deal, deal->peer, 0, WORD_CLOSE, 0)) comm_pause(&pause);
    for (deal_listen(deal); !deal->end; deal_listen(deal)) {
        deal_watch(deal, deal->peer, 0);
        comm_pause(&pause);
    }
}

void deal_close(struct deal *deal)
{
    struct comm *comm = deal->comm;
    size_t       peers = comm->rank == 0 ? (size_t)comm->size : 1;
    unsigned     pause = 0;

    assert(deal->stopped || (comm->rank ? deal->none : deal->next == deal->count));
    if (comm->size > 1) {
        if (comm->rank == 0) deal_end_first(deal);
        else deal_end_other(deal);
        /* What is still under way has been read by its receiver, or is being read right now. */
        for (size_t i = 0; i < peers * DEAL_SLOTS; i++) {
            MPI_Request *request = &deal->peer[i / DEAL_SLOTS].slot[i % DEAL_SLOTS].request;

            for (int done = 0; !done; ) {
                deal_check(deal, MPI_Test(request, &done, MPI_STATUS_IGNORE));
                if (!done) comm_pause(&pause);
            }
        }
    }
    comm->dealing = false;
    free(deal->peer);
    free(deal);
}
