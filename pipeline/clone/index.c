/* clone/index.c -- see index.h.
 *
 * 1. Looking   2. The automaton, state by state   3. Numbers and tables */
#include "clone/index.h"

#include "base/scatter.h"

#include <errno.h>
#include <stdlib.h>

enum { SECTION_HEADER, SECTION_KNOWN, SECTION_FILTER, SECTION_WINDOW, SECTION_NAME, SECTION_STEP, SECTION_STATE,
       SECTION_AT, SECTIONS };

#define WINDOW_FACTOR 0x9E3779B97F4A7C15ull                 /* of the rolling hash */

static size_t slot_of(uint64_t key, uint64_t factor, uint64_t bits)
{
    return (size_t)scatter(key, factor, (unsigned)(64 - bits));
}

static uint64_t step_key(uint32_t state, uint32_t line) { return (uint64_t)state << 32 | line; }

/* Powers of two with at least twice the room. */
static uint64_t bits_for(uint64_t count)
{
    uint64_t bits = 6;

    while (1ull << bits < 2 * count) bits++;
    return bits;
}

/* ---- 1. Looking ---- */

/* h[0] f^(L-1) + ... + h[L-1], never 0. */
struct window { uint64_t hash, factor_out; uint32_t lines; };

static struct window window_start(uint32_t lines)
{
    struct window window = { 0, 1, lines };

    for (uint32_t i = 1; i < lines; i++) window.factor_out *= WINDOW_FACTOR;
    return window;
}

/* Takes line i; true when a window ends there. */
static bool window_take(struct window *window, const struct clone_line *line, size_t i)
{
    if (i >= window->lines) window->hash -= line[i - window->lines].low * window->factor_out;
    window->hash = window->hash * WINDOW_FACTOR + line[i].low;
    return i + 1 >= window->lines;
}

bool clone_index_meets(const struct clone_index *index, const struct clone_line *line, size_t count)
{
    struct window  window = window_start((uint32_t)index->header->block_lines);
    const uint64_t bits = index->header->window_bits;

    for (size_t i = 0; i < count; i++) {
        size_t bit, slot;

        if (!window_take(&window, line, i)) continue;
        bit = slot_of(window.hash, index->header->factor, bits + 3);
        if (!(index->filter[bit / 64] >> (bit % 64) & 1)) continue;
        for (slot = bit >> 3; index->window[slot]; slot = (slot + 1) & ((1ull << bits) - 1))
            if (index->window[slot] == (window.hash ? window.hash : 1)) return true;
    }
    return false;
}

static uint32_t name_find(const struct clone_name *name, uint64_t factor, uint64_t bits, uint64_t low, uint64_t high)
{
    for (size_t slot = slot_of(low, factor, bits); name[slot].used; slot = (slot + 1) & ((1ull << bits) - 1))
        if (name[slot].low == low && name[slot].high == high) return name[slot].line;
    return UINT32_MAX;
}

bool clone_index_knows(const struct clone_index *index, const struct clone_line *line)
{
    size_t bit = slot_of(line->low, index->header->factor, index->header->name_bits + 3);

    return index->known[bit / 64] >> (bit % 64) & 1;
}

struct clone_match clone_index_step(const struct clone_index *index, struct clone_match match,
                                    const struct clone_line *line)
{
    const uint64_t bits = index->header->step_bits;
    uint32_t       id = name_find(index->name, index->header->factor, index->header->name_bits, line->low, line->high);

    if (id == UINT32_MAX) return (struct clone_match){ 0, 0 };
    for (;;) {
        for (size_t slot = slot_of(step_key(match.state, id), index->header->factor, bits); index->step[slot].target;
             slot = (slot + 1) & ((1ull << bits) - 1))
            if (index->step[slot].state == match.state && index->step[slot].line == id)
                return (struct clone_match){ index->step[slot].target, match.length + 1 };
        if (match.state == 0) return (struct clone_match){ 0, 0 };
        match.state = index->state[match.state].link;
        match.length = index->state[match.state].length;
    }
}

/* ---- 2. The automaton, state by state ---- */

#define NONE UINT32_MAX

struct link { uint32_t state, line, target, next; };        /* a step while building; next: of the same state */

struct builder {
    struct clone_state *state;
    uint32_t           *first;                              /* [states] its steps */
    size_t              states, state_room;
    struct link        *link;
    size_t              links, link_room;
    uint32_t           *slot;                               /* [2^slot_bits] links by state and line; NONE: empty */
    uint64_t            slot_bits;
    struct clone_name  *name;
    uint64_t            name_bits;
    uint32_t            distinct;
    uint32_t           *at;                                 /* [lines] */
};

static uint32_t link_find(const struct builder *b, uint32_t state, uint32_t line)
{
    for (size_t slot = slot_of(step_key(state, line), scatter_factor[0], b->slot_bits); b->slot[slot] != NONE; slot =
         (slot + 1) & ((1ull << b->slot_bits) - 1))
        if (b->link[b->slot[slot]].state == state && b->link[b->slot[slot]].line == line) return b->slot[slot];
    return NONE;
}

static void link_place(struct builder *b, uint32_t i)
{
    size_t slot = slot_of(step_key(b->link[i].state, b->link[i].line), scatter_factor[0], b->slot_bits);

    while (b->slot[slot] != NONE) slot = (slot + 1) & ((1ull << b->slot_bits) - 1);
    b->slot[slot] = i;
}

static int links_grow(struct builder *b)
{
    size_t       room = b->link_room ? 2 * b->link_room : 1024;
    struct link *link = realloc(b->link, room * sizeof *link);
    uint32_t    *slot;

    if (!link) return -ENOMEM;
    b->link = link;
    b->link_room = room;
    slot = malloc((1ull << bits_for(room)) * sizeof *slot);
    if (!slot) return -ENOMEM;
    free(b->slot);
    b->slot = slot;
    b->slot_bits = bits_for(room);
    memset(slot, 0xFF, (1ull << b->slot_bits) * sizeof *slot);
    for (size_t i = 0; i < b->links; i++) link_place(b, (uint32_t)i);
    return 0;
}

static int link_add(struct builder *b, uint32_t state, uint32_t line, uint32_t target)
{
    if (b->links == b->link_room && links_grow(b) < 0) return -ENOMEM;
    b->link[b->links] = (struct link){ state, line, target, b->first[state] };
    b->first[state] = (uint32_t)b->links;
    link_place(b, (uint32_t)b->links++);
    return 0;
}

static uint32_t state_add(struct builder *b, uint32_t length, uint32_t count)
{
    if (b->states == b->state_room) {
        size_t              room = b->state_room ? 2 * b->state_room : 1024;
        struct clone_state *state = realloc(b->state, room * sizeof *state);
        uint32_t           *first;

        if (!state) return NONE;
        b->state = state;
        first = realloc(b->first, room * sizeof *first);
        if (!first) return NONE;
        b->first = first;
        b->state_room = room;
    }
    b->state[b->states] = (struct clone_state){ 0, length, count, 0 };
    b->first[b->states] = NONE;
    return (uint32_t)b->states++;
}

/* `target` without the blocks that are longer than `length`: a state of the shorter ones, with its steps. */
static uint32_t state_split(struct builder *b, uint32_t from, uint32_t line, uint32_t target)
{
    uint32_t split = state_add(b, b->state[from].length + 1, 0), step;

    if (split == NONE) return NONE;
    b->state[split].link = b->state[target].link;
    for (uint32_t i = b->first[target]; i != NONE; i = b->link[i].next)
        if (link_add(b, split, b->link[i].line, b->link[i].target) < 0) return NONE;
    for (;;) {
        step = link_find(b, from, line);
        if (step == NONE || b->link[step].target != target) break;
        b->link[step].target = split;
        if (from == 0) break;
        from = b->state[from].link;
    }
    return split;
}

/* The state of the text so far with one more line; NONE when memory is out. */
static uint32_t state_extend(struct builder *b, uint32_t last, uint32_t line)
{
    uint32_t added = state_add(b, b->state[last].length + 1, 1), from = last, step, target, split;

    if (added == NONE) return NONE;
    while ((step = link_find(b, from, line)) == NONE) {
        if (link_add(b, from, line, added) < 0) return NONE;
        if (from == 0) return added;
        from = b->state[from].link;
    }
    target = b->link[step].target;
    if (b->state[target].length != b->state[from].length + 1) {
        split = state_split(b, from, line, target);
        if (split == NONE) return NONE;
        b->state[target].link = split;
        target = split;
    }
    b->state[added].link = target;
    return added;
}

static uint32_t name_take(struct builder *b, const struct clone_line *line)
{
    size_t slot = slot_of(line->low, scatter_factor[0], b->name_bits);

    while (b->name[slot].used && (b->name[slot].low != line->low || b->name[slot].high != line->high))
        slot = (slot + 1) & ((1ull << b->name_bits) - 1);
    if (!b->name[slot].used) b->name[slot] = (struct clone_name){ line->low, line->high, b->distinct++, 1 };
    return b->name[slot].line;
}

/* All documents; the ends have numbers of their own from the top down. */
static int automaton_build(struct builder *b, const struct clone_text *text, size_t count)
{
    uint32_t last = state_add(b, 0, 0), end = NONE - 1;
    size_t   first = 0;

    if (last == NONE) return -ENOMEM;
    if (links_grow(b) < 0) return -ENOMEM;
    for (size_t d = 0; d < count; first += text[d++].count) {
        last = state_extend(b, last, end--);
        for (uint64_t i = text[d].count; i-- > 0 && last != NONE;)
            b->at[first + i] = last = state_extend(b, last, name_take(b, &text[d].line[i]));
        if (last == NONE) return -ENOMEM;
    }
    return 0;
}

/* ---- 3. Numbers and tables ---- */

/* Numbers the states in preorder of the links: after it place[s] is the number of state s.  Counts are summed on the
 * way, as the places of a state are its own and those of the states that link to it. */
static int states_number(struct builder *b, uint32_t *place)
{
    size_t              n = b->states;
    uint32_t           *order = malloc(n * sizeof *order), *next = calloc(n + 1, sizeof *next),
        *size = calloc(n, sizeof *size);
    struct clone_state *state = malloc(n * sizeof *state);
    int                 rc = order && next && size && state ? 0 : -ENOMEM;

    if (rc < 0) goto done;
    /* by length: a link is shorter */
    for (size_t s = 0; s < n; s++) next[b->state[s].length + 1 < n ? b->state[s].length + 1 : n]++;
    for (size_t l = 1; l < n; l++) next[l] += next[l - 1];
    for (size_t s = 0; s < n; s++) order[next[b->state[s].length]++] = (uint32_t)s;
    for (size_t i = n; i-- > 1;) {
        size[order[i]]++;
        size[b->state[order[i]].link] += size[order[i]];
        b->state[b->state[order[i]].link].count += b->state[order[i]].count;
    }
    size[0]++;
    place[0] = 0;
    next[0] = 1;                                            /* from here on: the number of a state's next child */
    for (size_t i = 1; i < n; i++) {
        uint32_t s = order[i], link = b->state[s].link;

        place[s] = next[link];
        next[link] += size[s];
        next[s] = place[s] + 1;
    }
    for (size_t s = 0; s < n; s++)
        state[place[s]] = (struct clone_state){ place[b->state[s].link], b->state[s].length, b->state[s].count,
                                                place[s] + size[s] };
    memcpy(b->state, state, n * sizeof *state);
done:
    free(order);
    free(next);
    free(size);
    free(state);
    return rc;
}

static int steps_make(struct builder *b, const uint32_t *place, uint64_t bits, struct clone_step **out)
{
    struct clone_step *step = calloc(1ull << bits, sizeof *step);

    *out = step;
    if (!step) return -ENOMEM;
    for (size_t i = 0; i < b->links; i++) {
        uint32_t state = place[b->link[i].state];
        size_t   slot = slot_of(step_key(state, b->link[i].line), scatter_factor[0], bits);

        if (b->link[i].line >= b->distinct) continue;       /* past the end of a document nothing is looked for */
        while (step[slot].target) slot = (slot + 1) & ((1ull << bits) - 1);
        step[slot] = (struct clone_step){ state, b->link[i].line, place[b->link[i].target] };
    }
    return 0;
}

static int windows_make(const struct clone_text *text, size_t count, uint32_t block_lines, uint64_t bits,
                        uint64_t **window, uint64_t **filter)
{
    *window = calloc(1ull << bits, sizeof **window);
    *filter = calloc((1ull << bits) / 8, sizeof **filter);
    if (!*window || !*filter) return -ENOMEM;
    for (size_t d = 0; d < count; d++) {
        struct window rolling = window_start(block_lines);

        for (size_t i = 0; i < text[d].count; i++) {
            uint64_t hash;
            size_t   bit, slot;

            if (!window_take(&rolling, text[d].line, i)) continue;
            hash = rolling.hash ? rolling.hash : 1;
            bit = slot_of(rolling.hash, scatter_factor[0], bits + 3);
            (*filter)[bit / 64] |= 1ull << (bit % 64);
            for (slot = bit >> 3; (*window)[slot] && (*window)[slot] != hash; slot = (slot + 1) & ((1ull << bits) - 1))
                continue;
            (*window)[slot] = hash;
        }
    }
    return 0;
}

static uint64_t *known_make(const struct clone_name *name, uint64_t bits)
{
    uint64_t *known = calloc((1ull << bits) / 8, sizeof *known);

    for (size_t slot = 0; known && slot < 1ull << bits; slot++) {
        size_t bit = slot_of(name[slot].low, scatter_factor[0], bits + 3);

        if (name[slot].used) known[bit / 64] |= 1ull << (bit % 64);
    }
    return known;
}

uint64_t clone_index_memory(uint64_t lines, uint64_t documents)
{
    uint64_t n = lines + documents + 1;

    /* At most 2n states and 3n steps; arrays double, and while the tables are made the steps are there twice. */
    return 2 * 2 * n * (sizeof(struct clone_state) + 4) + 2 * 3 * n * sizeof(struct link) +
        12 * n * (4 + sizeof(struct clone_step)) +
           4 * n * (sizeof(struct clone_name) + 11);
}

int clone_index_build(struct stage *stage, struct unit_key key, const struct clone_text *text, size_t count,
                      uint32_t block_lines, struct err *err)
{
    struct builder            b = { 0 };
    struct clone_index_header header = { .block_lines = block_lines, .factor = scatter_factor[0] };
    struct clone_step        *step = NULL;
    uint64_t                 *window = NULL, *filter = NULL, *known = NULL;
    uint32_t                 *place = NULL;
    int                       rc = -ENOMEM;

    for (size_t d = 0; d < count; d++) header.lines += text[d].count;
    if (header.lines + count > CLONE_INDEX_MAX)
        return err_set(err, -EOVERFLOW, "line_clones: the small side has %llu lines, more than 2^30",
                       (unsigned long long)header.lines);
    header.name_bits = header.window_bits = bits_for(header.lines);
    b.name_bits = header.name_bits;
    b.name = calloc(1ull << b.name_bits, sizeof *b.name);
    b.at = malloc((header.lines + 1) * sizeof *b.at);
    if (!b.name || !b.at || automaton_build(&b, text, count) < 0) goto done;
    place = malloc(b.states * sizeof *place);
    if (!place || states_number(&b, place) < 0) goto done;
    for (size_t i = 0; i < header.lines; i++) b.at[i] = place[b.at[i]];
    header.states = b.states;
    header.distinct = b.distinct;
    header.step_bits = bits_for(b.links);
    if (steps_make(&b, place, header.step_bits, &step) < 0 ||
        windows_make(text, count, block_lines, header.window_bits, &window, &filter) < 0)
        goto done;
    known = known_make(b.name, header.name_bits);
    if (!known) goto done;
    rc = stage_commit(stage, "clone-index", key, (struct slice[]){
        [SECTION_HEADER] = { (const char *)&header, sizeof header },
        [SECTION_KNOWN] = { (const char *)known, 1ull << header.name_bits },
        [SECTION_FILTER] = { (const char *)filter, 1ull << header.window_bits },
        [SECTION_WINDOW] = { (const char *)window, sizeof *window << header.window_bits },
        [SECTION_NAME] = { (const char *)b.name, sizeof *b.name << header.name_bits },
        [SECTION_STEP] = { (const char *)step, sizeof *step << header.step_bits },
        [SECTION_STATE] = { (const char *)b.state, header.states * sizeof *b.state },
        [SECTION_AT] = { (const char *)b.at, header.lines * sizeof *b.at } }, SECTIONS, err);
done:
    if (rc == -ENOMEM && !err->code)
        rc = err_memory(err, clone_index_memory(header.lines, count), "the index of the small side's lines");
    free(b.state);
    free(b.first);
    free(b.link);
    free(b.slot);
    free(b.name);
    free(b.at);
    free(place);
    free(step);
    free(known);
    free(window);
    free(filter);
    return rc;
}

int clone_index_open(struct stage *stage, struct unit_key key, struct clone_index *out, struct err *err)
{
    int rc;

    *out = (struct clone_index){ 0 };
    rc = stage_load(stage, "clone-index", key, &out->file, err);
    if (rc <= 0) return rc;
    out->header = (const void *)out->file.section[SECTION_HEADER].at;
    if (out->file.count != SECTIONS || out->file.section[SECTION_HEADER].len != sizeof *out->header ||
        out->file.section[SECTION_STATE].len != out->header->states * sizeof *out->state ||
        out->file.section[SECTION_STEP].len != sizeof *out->step << out->header->step_bits) {
        unit_close(&out->file);
        return err_set(err, -EBADMSG, "%s: the index of line_clones does not have the expected layout; remove the "
                                      "work folder with --clean", stage_dir(stage));
    }
    out->known = (const void *)out->file.section[SECTION_KNOWN].at;
    out->filter = (const void *)out->file.section[SECTION_FILTER].at;
    out->window = (const void *)out->file.section[SECTION_WINDOW].at;
    out->name = (const void *)out->file.section[SECTION_NAME].at;
    out->step = (const void *)out->file.section[SECTION_STEP].at;
    out->state = (const void *)out->file.section[SECTION_STATE].at;
    out->at = (const void *)out->file.section[SECTION_AT].at;
    return 1;
}

void clone_index_close(struct clone_index *index)
{
    unit_close(&index->file);
    *index = (struct clone_index){ 0 };
}
