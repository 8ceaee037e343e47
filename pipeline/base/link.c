/* base/link.c -- the connection that every rank keeps with rank 0, for the watch; see watch.h for what it is good for.
 *
 * Rank 0 listens while the ranks start, and says to all of them by MPI where: its addresses, a port, and two random
 * words.  Who connects shows the first and is shown the second, so that neither side takes another program for a rank.
 * Either all ranks are connected or the job does without: then only the launcher and LEAKGRAPH_PATIENCE are left. */
#include "base/comm_private.h"

#include "base/log.h"

#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LINK_ADDRESSES = 16,
    LINK_TIME      = 3000,                                  /* ms for one step with another rank, */
    LINK_TIMES     = 3,                                     /* and so often that for all addresses */
    LINK_PROBE     = 30                                     /* seconds between two probes at most */
};

struct link_word { unsigned char byte[16]; };

/* What rank 0 tells the others.  Addresses are IPv6; IPv4 ones are mapped. */
struct link_place {
    char             host[64];                              /* loopback is for ranks on a host of this name */
    struct link_word word[2];
    struct in6_addr  address[LINK_ADDRESSES];
    uint16_t         port, count;                           /* port 0: rank 0 cannot listen; in the network's order */
};

struct link_hello { struct link_word word; uint32_t rank; };

/* ---- sockets ---- */

/* The other end is dead when its kernel has not answered for `patience` seconds. */
static int link_keep(int file, double patience)
{
    int on = 1, count = 127, quarter = patience / 4 < LINK_PROBE ? (int)(patience / 4) : LINK_PROBE;
    int probe = quarter < 1 ? 1 : quarter;
    int limit = patience < INT_MAX / 1000 ? (int)(patience * 1000) : INT_MAX;

    if (patience / probe < count) count = patience / probe < 2 ? 2 : (int)(patience / probe);
    return setsockopt(file, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) < 0 ||
        setsockopt(file, IPPROTO_TCP, TCP_KEEPIDLE, &probe, sizeof probe) < 0 ||
        setsockopt(file, IPPROTO_TCP, TCP_KEEPINTVL, &probe, sizeof probe) < 0 ||
        setsockopt(file, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count) < 0 ||
        setsockopt(file, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof limit) < 0 ? -errno : 0;
}

/* Whether the file becomes ready within LINK_TIME. */
static bool link_ready(int file, short event)
{
    double        until = log_seconds() + LINK_TIME / 1e3, left;
    struct pollfd wanted = { .fd = file, .events = event };

    while ((left = until - log_seconds()) > 0) {
        int got = poll(&wanted, 1, (int)(left * 1e3) + 1);

        if (got > 0) return true;
        if (got < 0 && errno != EINTR) return false;
    }
    return false;
}

/* A few bytes that the other side sends or takes at once. */
static bool link_take(int file, void *at, size_t len)
{
    for (size_t done = 0; done < len; ) {
        ssize_t got = link_ready(file, POLLIN) ? recv(file, (char *)at + done, len - done, MSG_DONTWAIT) : 0;

        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

static bool link_give(int file, const void *at, size_t len)
{
    ssize_t sent;

    do sent = send(file, at, len, MSG_NOSIGNAL | MSG_DONTWAIT);             /* an empty buffer takes it whole */
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)len;
}

/* ---- rank 0 ---- */

static void link_addresses(struct link_place *place)
{
    struct ifaddrs *all = NULL;

    if (getifaddrs(&all) < 0) return;
    for (const struct ifaddrs *at = all; at && place->count < LINK_ADDRESSES; at = at->ifa_next) {
        struct in6_addr *to = &place->address[place->count];

        if (!at->ifa_addr || !(at->ifa_flags & IFF_UP) || at->ifa_flags & IFF_LOOPBACK) continue;
        if (at->ifa_addr->sa_family == AF_INET) {
            *to = (struct in6_addr){ .s6_addr = { [10] = 0xFF, [11] = 0xFF } };
            memcpy(to->s6_addr + 12, &((const struct sockaddr_in *)(const void *)at->ifa_addr)->sin_addr, 4);
            place->count++;
        } else if (at->ifa_addr->sa_family == AF_INET6) {
            *to = ((const struct sockaddr_in6 *)(const void *)at->ifa_addr)->sin6_addr;
            if (!IN6_IS_ADDR_LINKLOCAL(to)) place->count++;
        }
    }
    freeifaddrs(all);
}

/* A socket that listens, non-blocking, or -1; says in place where. */
static int link_listen(struct link_place *place, int ranks)
{
    struct sockaddr_in6 here = { .sin6_family = AF_INET6 };
    socklen_t           size = sizeof here;
    int                 off = 0, file;

    *place = (struct link_place){ 0 };
    if (getrandom(place->word, sizeof place->word, 0) != (ssize_t)sizeof place->word) return -1;
    file = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0) return -1;
    if (setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) < 0 ||
        bind(file, (struct sockaddr *)&here, sizeof here) < 0 || listen(file, ranks) < 0 ||
        getsockname(file, (struct sockaddr *)&here, &size) < 0) {
        close(file);
        return -1;
    }
    gethostname(place->host, sizeof place->host - 1);
    link_addresses(place);
    place->port = here.sin6_port;
    return file;
}

/* Takes a connection that is there; peer[r] becomes that with rank r. */
static void link_accept(int listener, const struct link_place *place, struct pollfd *peer, int ranks, double patience)
{
    struct link_hello hello;
    int               got = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

    if (got < 0) return;
    if (link_take(got, &hello, sizeof hello) && memcmp(&hello.word, &place->word[0], sizeof hello.word) == 0 &&
        hello.rank > 0 && hello.rank < (uint32_t)ranks && link_keep(got, patience) == 0 &&
        link_give(got, &place->word[1], sizeof place->word[1])) {
        if (peer[hello.rank].fd >= 0) close(peer[hello.rank].fd);           /* it has given up that one */
        peer[hello.rank].fd = got;
    } else close(got);
}

/* As many files as there are ranks, beside those that a run has open. */
static void link_room(int ranks)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur > 1024 + (rlim_t)ranks) return;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > 1024 + (rlim_t)ranks ? 1024 + (rlim_t)ranks
        : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* ---- the others ---- */

static int link_try(const struct comm *comm, const struct link_place *place, const struct in6_addr *address)
{
    struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_port = place->port, .sin6_addr = *address };
    struct link_hello   hello = { place->word[0], (uint32_t)comm->rank };
    struct link_word    answer;
    int                 off = 0, file = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), code = 0;
    socklen_t           size = sizeof code;

    if (file < 0) return -1;
    if (setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0 && link_keep(file, comm->patience) == 0 &&
        (connect(file, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS || errno == EINTR) &&
        link_ready(file, POLLOUT) && getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == 0 &&
        link_give(file, &hello, sizeof hello) && link_take(file, &answer, sizeof answer) &&
        memcmp(&answer, &place->word[1], sizeof answer) == 0)
        return file;
    close(file);
    return -1;
}

static int link_connect(const struct comm *comm, const struct link_place *place)
{
    static const struct in6_addr loopback = { .s6_addr = { [10] = 0xFF, [11] = 0xFF, [12] = 127, [15] = 1 } };
    char   host[sizeof place->host] = "";
    int    file = -1;
    double until = log_seconds() + LINK_TIMES * LINK_TIME / 1e3;

    if (!place->port) return -1;
    gethostname(host, sizeof host - 1);
    if (strcmp(host, place->host) == 0) file = link_try(comm, place, &loopback);
    for (int i = 0; i < place->count && file < 0 && log_seconds() < until; i++)
        file = link_try(comm, place, &place->address[i]);
    return file;
}

/* ---- together ---- */

/* Accepts until all ranks have said how it went; then *all is 0 when one is not connected. */
static int link_gather(struct comm *comm, int listener, const struct link_place *place, struct pollfd *peer,
                       int *all, struct err *err)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int         code = MPI_Iallreduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_MIN, comm->group, &request), done = 0;
    unsigned    pause = 0;

    while (comm->rank == 0 && listener >= 0 && code == MPI_SUCCESS && !done) {
        link_accept(listener, place, peer, comm->size, comm->patience);
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) comm_pause(&pause);
    }
    return comm_wait_all(comm, code, &request, 1, "connecting", err);
}

int comm_link(struct comm *comm, struct err *err)
{
    MPI_Request       request = MPI_REQUEST_NULL;
    struct link_place place = { 0 };
    int               count = comm->rank == 0 ? comm->size - 1 : 1, all, listener = -1, rc;
    struct pollfd    *peer = calloc((size_t)count + 1, sizeof *peer);

    comm->watched = true;                                   /* the start as a whole is timed by the watch */
    for (int i = 0; peer && i <= count; i++) peer[i].fd = -1;
    if (peer && comm->rank == 0) {
        link_room(comm->size);
        listener = link_listen(&place, comm->size);
    }
    rc = comm_wait_all(comm, MPI_Ibcast(&place, sizeof place, MPI_BYTE, 0, comm->group, &request), &request, 1,
                       "connecting", err);
    if (rc == 0 && peer && comm->rank) peer[1].fd = link_connect(comm, &place);
    all = peer && (comm->rank ? peer[1].fd : listener) >= 0;
    if (rc == 0) rc = link_gather(comm, listener, &place, peer, &all, err);
    if (listener >= 0) close(listener);
    if (rc == 0 && all) {
        watch_ranks(comm->watch, peer, count, comm->rank == 0);
        return 0;
    }
    comm->watched = false;
    for (int i = 1; peer && i <= count; i++)
        if (peer[i].fd >= 0) close(peer[i].fd);
    free(peer);
    return rc;
}
