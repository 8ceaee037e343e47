/* lm/file.c -- a model file written whole, mapped, and believed only after everything in it was looked at. */
#include "lm/private.h"

#include "base/file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lm_magic[8] = "LKGNGRM";

bool lm_begins(struct slice head)
{
    return head.len >= sizeof lm_magic && memcmp(head.at, lm_magic, sizeof lm_magic) == 0;
}

bool lm_arpa_begins(struct slice head) { return memmem(head.at, head.len, "\\data\\", 6) != NULL; }

uint64_t lm_head_hash(const struct lm_head *head) { return XXH3_64bits(head, offsetof(struct lm_head, xxh3)); }

static uint64_t align(uint64_t at) { return (at + LM_ALIGN - 1) / LM_ALIGN * LM_ALIGN; }

/* Where the sections stand follows from the numbers in the head, so a reader can insist on it. */
static void head_lay_out(struct lm_head *head, uint64_t pieces)
{
    uint64_t at = sizeof *head;

    head->section[LM_STATES].len = ((uint64_t)head->states + 1) * sizeof(struct lm_state);
    head->section[LM_ARCS].len = head->arcs * sizeof(struct lm_arc);
    head->section[LM_PIECE_AT].len = ((uint64_t)head->tokens + 1) * sizeof(uint32_t);
    head->section[LM_PIECES].len = pieces;
    for (size_t i = 0; i < LM_SECTIONS; i++) {
        head->section[i].at = align(at);
        at = head->section[i].at + head->section[i].len;
    }
    head->bytes = at;
}

/* ---- writing ---- */

int lm_write(const struct lm *model, const char *path, struct err *err)
{
    static const char  zeros[LM_ALIGN] = { 0 };
    const void *const  section[LM_SECTIONS] = { model->state, model->arc, model->piece_at, model->piece };
    struct lm_head     head = { .version = LM_VERSION, .byte_order = LM_BYTE_ORDER, .order = model->order,
                                .tokens = model->tokens,
                                .smoothing = model->smoothing, .states = model->states, .begin = model->begin,
                                    .arcs = model->arcs,
                                .trained_tokens = model->trained_tokens,
                                    .trained_documents = model->trained_documents };
    char               folder[FILE_NAME_MAX], name[FILE_NAME_MAX];
    uint64_t           at = sizeof head;
    int                file, rc;

    memcpy(head.magic, lm_magic, sizeof head.magic);
    memcpy(head.level, model->level, sizeof head.level);
    head_lay_out(&head, model->piece_at[model->tokens]);
    for (size_t i = 0; i < LM_SECTIONS; i++)
        head.section[i].xxh3 = XXH3_64bits(section[i], (size_t)head.section[i].len);
    head.xxh3 = lm_head_hash(&head);
    if ((rc = file_folder(path, folder, err)) < 0) return rc;
    if ((file = file_create_aside(folder, name, err)) < 0) return file;
    rc = file_write_all(file, name, (const char *)&head, sizeof head, err);
    for (size_t i = 0; i < LM_SECTIONS && rc == 0; i++) {
        rc = file_write_all(file, name, zeros, (size_t)(head.section[i].at - at), err);
        if (rc == 0) rc = file_write_all(file, name, section[i], (size_t)head.section[i].len, err);
        at = head.section[i].at + head.section[i].len;
    }
    if (rc == 0) rc = file_move(file, name, path, err);
    close(file);
    if (rc < 0) unlink(name);
    return rc;
}

/* ---- opening ---- */

static int head_check(const struct lm_head *head, uint64_t bytes, const char *path, struct err *err)
{
    struct lm_head want = *head;

    if (memcmp(head->magic, lm_magic, sizeof lm_magic) != 0)
        return err_set(err, -EBADMSG, "%s: byte 0: not a model of n-grams", path);
    if (head->byte_order != LM_BYTE_ORDER)
        return err_set(err, -EBADMSG, "%s: byte 12: written for a machine of the other byte order", path);
    if (head->version != LM_VERSION)
        return err_set(err, -EBADMSG, "%s: byte 8: format version %u, this program reads %d", path, head->version,
                       LM_VERSION);
    if (lm_head_hash(head) != head->xxh3)
        return err_set(err, -EBADMSG, "%s: byte 0: the checksum of the head does not fit: the file is damaged, train "
                                      "the model again", path);
    if (!head->order || head->order > LM_ORDER_MAX || head->tokens < LM_FIRST || head->smoothing > SMOOTH_WITTEN_BELL ||
        !head->states ||
        head->states == LM_NONE || head->begin >= head->states || head->arcs > bytes / sizeof(struct lm_arc) ||
            head->section[LM_PIECES].len > bytes)
        return err_set(err, -EBADMSG, "%s: byte 16: no model of this program", path);
    head_lay_out(&want, head->section[LM_PIECES].len);
    if (memcmp(want.section, head->section, sizeof want.section) != 0 || want.bytes != head->bytes ||
        head->bytes != bytes)
        return err_set(err, -EBADMSG, "%s: byte 96: the head says another size than the %llu bytes that the file has",
                       path, (unsigned long long)bytes);
    for (uint32_t k = 0; k <= LM_ORDER_MAX; k++)
        if ((k < 2 && head->level[k] != k) || (k >= head->order && head->level[k] != head->states) ||
            (k && head->level[k] < head->level[k - 1]))
            return err_set(err, -EBADMSG, "%s: byte %zu: levels out of order", path,
                           offsetof(struct lm_head, level) + k * sizeof head->level[0]);
    return 0;
}

/* The first state or arc that no model can have, as the byte where it stands; 0: none.  States are numbered as the arcs
 * that lead to them are, which keeps them in their level and lets no state be reached by two n-grams; a suffix is of a
 * lower level than its state, so a walk along suffixes is short. */
static uint64_t structure_check(const struct lm *m, const struct lm_head *head)
{
    uint64_t states_at = head->section[LM_STATES].at, arcs_at = head->section[LM_ARCS].at;

    if (m->state[0].first != 0 || m->state[1].first != m->tokens || m->state[m->states].first != m->arcs ||
        m->state[0].suffix != 0)
        return states_at;
    for (uint32_t k = 0; k < m->order; k++)
        for (uint32_t s = m->level[k]; s < m->level[k + 1]; s++)
            if (m->state[s].first > m->state[s + 1].first || (s && m->state[s].suffix >= m->level[k]) ||
                !(m->state[s].backoff < LM_BACKOFF_MOST))
                return states_at + s * sizeof *m->state;
    for (uint32_t t = 0; t < m->tokens; t++)
        if (m->arc[t].token != t) return arcs_at + t * sizeof *m->arc;
    for (uint32_t k = 1; k <= m->order; k++) {
        uint64_t next = m->level[k], end = k < m->order ? m->level[k + 1] : next;

        for (uint32_t s = m->level[k - 1]; s < m->level[k]; s++)
            for (uint64_t a = m->state[s].first; a < m->state[s + 1].first; a++) {
                const struct lm_arc *arc = &m->arc[a];

                if (arc->token >= m->tokens || (a > m->state[s].first && arc->token <= arc[-1].token) ||
                    !(arc->logprob <= 0) ||
                    (arc->next >= m->level[k] && (arc->next != next || next++ >= end)))
                    return arcs_at + a * sizeof *arc;
            }
        if (next != end) return states_at + (size_t)next * sizeof *m->state;
    }
    return 0;
}

static int sections_check(const struct lm *m, const struct lm_head *head, const char *path, struct err *err)
{
    const char *at = m->map;
    uint64_t    bad;

    for (size_t i = 0; i < LM_SECTIONS; i++)
        if (XXH3_64bits(at + head->section[i].at, (size_t)head->section[i].len) != head->section[i].xxh3)
            return err_set(err, -EBADMSG,
                           "%s: byte %llu: the checksum does not fit: the file is damaged, train the model again", path,
                           (unsigned long long)head->section[i].at);
    if ((bad = structure_check(m, head)) != 0)
        return err_set(err, -EBADMSG, "%s: byte %llu: no automaton of n-grams, though its checksum fits", path,
                       (unsigned long long)bad);
    for (uint32_t t = 0; t <= m->tokens; t++)
        if (t == 0 ? m->piece_at[0] != 0 : m->piece_at[t] < m->piece_at[t - 1])
            return err_set(err, -EBADMSG, "%s: byte %llu: pieces out of order", path,
                           (unsigned long long)(head->section[LM_PIECE_AT].at + t * sizeof *m->piece_at));
    if (m->piece_at[m->tokens] != head->section[LM_PIECES].len)
        return err_set(err, -EBADMSG, "%s: byte %llu: pieces cut off", path,
                       (unsigned long long)head->section[LM_PIECES].at);
    return 0;
}

int lm_open(struct lm *out, const char *path, struct err *err)
{
    struct lm_head head;
    struct stat    is;
    int            fd, rc = 0;

    *out = (struct lm){ 0 };
    fd = file_open(path, O_RDONLY);
    if (fd < 0) return err_set(err, errno == ENOENT ? -ENOENT : -EIO, "%s: %s", path, strerror(errno));
    if (fstat(fd, &is) < 0) rc = err_set(err, -EIO, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(is.st_mode)) rc = err_set(err, -EIO, "%s: is not a regular file", path);
    else if (is.st_size < (off_t)sizeof head)
        rc = err_set(err, -EBADMSG, "%s: byte %lld: not a model of n-grams, or cut off", path, (long long)is.st_size);
    if (rc == 0) {
        out->bytes = (uint64_t)is.st_size;
        out->map = mmap(NULL, (size_t)out->bytes, PROT_READ, MAP_SHARED, fd, 0);
        if (out->map == MAP_FAILED) {
            out->map = NULL;
            rc = err_set(err, errno == ENOMEM ? -ENOMEM : -EIO, "%s: cannot map: %s", path, strerror(errno));
        }
    }
    close(fd);
    if (rc < 0) return rc;
    memcpy(&head, out->map, sizeof head);
    if ((rc = head_check(&head, out->bytes, path, err)) == 0) {
        const char *at = out->map;

        out->order = head.order;
        out->tokens = head.tokens;
        out->smoothing = head.smoothing;
        out->states = head.states;
        out->begin = head.begin;
        memcpy(out->level, head.level, sizeof out->level);
        out->arcs = head.arcs;
        out->trained_tokens = head.trained_tokens;
        out->trained_documents = head.trained_documents;
        out->state = (const struct lm_state *)(const void *)(at + head.section[LM_STATES].at);
        out->arc = (const struct lm_arc *)(const void *)(at + head.section[LM_ARCS].at);
        out->piece_at = (const uint32_t *)(const void *)(at + head.section[LM_PIECE_AT].at);
        out->piece = at + head.section[LM_PIECES].at;
        out->xxh3 = head.xxh3;
        rc = sections_check(out, &head, path, err);
    }
    if (rc < 0) lm_close(out);
    return rc;
}

void lm_close(struct lm *model)
{
    if (model->map) munmap(model->map, (size_t)model->bytes);
    *model = (struct lm){ 0 };
}
