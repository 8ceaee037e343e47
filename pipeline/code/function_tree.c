/* code/function_tree.c -- see function_tree.h. */
#include "code/function_tree.h"
#include "code/rows.h"

#ifdef HAVE_TREE

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

/* What of a text is given to a parser.  Its work is bounded by what it has read and done, not by time: that a text is
 * given up depends on nothing but the text. */
enum {
    TREE_MOST_BYTES = 1 << 20,
    PIECE           = 256,                                  /* bytes that the parser reads at a time */
    READ_MOST       = 256,                                  /* times that a piece may be read, on average */
    STEPS_MOST      = 16,                                   /* hundreds of steps for a piece */
    BYTES_MOST      = 384,                                  /* of memory asked for, for a byte of the text */
    SMALL           = 4096,                                 /* a text is taken for no smaller */
    STACK           = 320,                                  /* bytes of stack for a byte of the text */
};

/* What a grammar's symbols are in its row: 0, or 1 + the place of its node. */
struct tree_kinds { const TSLanguage *grammar; uint8_t *of; uint32_t count; };

enum { GRAMMARS = 24 };

struct function_tree {
    struct tree_kinds kinds[GRAMMARS];
    size_t            grammars;
};

/* ---- memory ---- */

/* A parser's allocator is the process's; what it asks for is counted for each thread.  The parser does not know that
 * memory may be out: then it is left where it is, with what it has, and the error goes up. */
static _Thread_local struct { uint64_t asked; jmp_buf *out; } memory;

static void *memory_checked(void *block, size_t bytes)
{
    memory.asked += bytes;
    if (!block && bytes && memory.out) longjmp(*memory.out, 1);
    return block;
}

static void *memory_new(size_t bytes) { return memory_checked(malloc(bytes), bytes); }
static void *memory_zeroed(size_t count, size_t bytes) { return memory_checked(calloc(count, bytes), count * bytes); }
static void *memory_grow(void *block, size_t bytes) { return memory_checked(realloc(block, bytes), bytes); }
static void  memory_count(void) { ts_set_allocator(memory_new, memory_zeroed, memory_grow, free); }

/* ---- parsing within bounds ---- */

struct reading {
    struct slice text;
    uint64_t     reads, steps, most_reads, most_steps, most_bytes;
    uint32_t     at, end;                                   /* the piece that was given last */
    bool         over;
};

static const char *reading_give(void *payload, uint32_t at, TSPoint unused, uint32_t *len)
{
    struct reading *r = payload;
    const size_t    left = at < r->text.len ? r->text.len - at : 0;

    (void)unused;
    r->over |= ++r->reads > r->most_reads;
    *len = left < PIECE ? (uint32_t)left : PIECE;
    /* Nothing more is the text's end.  But of a character that may go on behind its piece, what was given has to be
     * given again: the parser's reader takes for granted that it is there. */
    if (r->over) *len = at >= r->at && at < r->end ? r->end - at : 0;
    r->at = at;
    r->end = at + *len;
    return r->text.at + (left ? at : r->text.len);
}

static bool reading_stops(TSParseState *state)
{
    struct reading *r = state->payload;

    return r->over |= ++r->steps > r->most_steps || memory.asked > r->most_bytes;
}

/* NULL: given up.  Each text has a parser of its own: one that is used again keeps memory, and would ask for less. */
static TSTree *parse(const TSLanguage *grammar, struct slice text)
{
    const uint64_t pieces = (text.len < SMALL ? SMALL : text.len) / PIECE;
    struct reading reading = { .text = text, .most_reads = READ_MOST * pieces, .most_steps = STEPS_MOST * pieces,
                               .most_bytes = (uint64_t)BYTES_MOST * PIECE * pieces };
    TSParser      *parser = ts_parser_new();
    TSTree        *made = NULL;

    memory.asked = 0;
    if (ts_parser_set_language(parser, grammar))
        made = ts_parser_parse_with_options(parser, NULL,
            (TSInput){ .payload = &reading, .read = reading_give, .encoding = TSInputEncodingUTF8 },
            (TSParseOptions){ .payload = &reading, .progress_callback = reading_stops });
    ts_parser_delete(parser);
    if (made && reading.over) {
        ts_tree_delete(made);
        made = NULL;
    }
    return made;
}

/* ---- trees ---- */

/* A place that the parser could not read. */
static bool is_wrong(TSNode node) { return ts_node_is_error(node) || ts_node_is_missing(node); }

/* Moves a cursor on to the next node in the order of the text, *depth with it; false: there is none. */
static bool cursor_next(TSTreeCursor *cursor, uint32_t *depth)
{
    if (ts_tree_cursor_goto_first_child(cursor)) return ++*depth;
    while (*depth > 1 && !ts_tree_cursor_goto_next_sibling(cursor)) {
        ts_tree_cursor_goto_parent(cursor);
        --*depth;
    }
    return *depth > 1;
}

static uint64_t errors_of(const TSTree *made)
{
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(made));
    uint32_t     depth = 1;
    uint64_t     errors = 0;

    if (ts_node_has_error(ts_tree_root_node(made)))
        do errors += is_wrong(ts_tree_cursor_current_node(&cursor));
        while (cursor_next(&cursor, &depth));
    ts_tree_cursor_delete(&cursor);
    return errors;
}

/* ---- the walk ---- */

/* A node of the row that is open, and what is around what is in it. */
struct open_node {
    TSNode           node;
    struct tree_span class_name;
    uint32_t         depth;
    uint32_t         function;                              /* the innermost, or FUNCTION_NONE; of a class: none */
    uint32_t         nested;                                /* functions that it is in */
    enum tree_role   role;
};

struct tree_walk {
    struct finding          *f;
    const struct tree_row   *row;
    const struct tree_kinds *kinds;
};

static size_t open_count(const struct tree_walk *w) { return w->f->functions->stack.len / sizeof(struct open_node); }

static const struct open_node *open_at(const struct tree_walk *w, size_t above)
{
    static const struct open_node text = { .function = FUNCTION_NONE, .role = TREE_CLASS };
    const size_t count = open_count(w);

    return above < count ? (const struct open_node *)(const void *)w->f->functions->stack.at + count - 1 - above
        : &text;
}

/* The first token that begins at `byte` or behind it. */
static uint32_t token_at(const struct finding *f, uint32_t byte)
{
    uint32_t from = 0, to = f->count;

    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;

        if (f->token[middle].at < byte) from = middle + 1;
        else to = middle;
    }
    return from;
}

static TSNode body_of(TSNode node, const struct tree_node *kind)
{
    const TSNode none = { 0 };
    TSNode       body;

    if (kind->body) {
        body = tree_field(node, kind->body);
        return !kind->body_type || tree_is(body, kind->body_type) ? body : none;
    }
    for (uint32_t i = ts_node_named_child_count(node), least = i > LEVELS_MOST ? i - LEVELS_MOST : 0; i-- > least;)
        if (tree_is(body = ts_node_named_child(node, i), kind->body_type)) return body;
    return none;
}

/* Where the function begins: behind decorators, with what binds it. */
static uint32_t begin_of(const struct tree_walk *w, TSNode node, bool bound)
{
    const struct open_node *declaration = open_at(w, 1);

    if (bound) {
        const TSNode binding = open_at(w, 0)->node;

        if (declaration->role == TREE_DECLARATION && declaration->depth + 1 == open_at(w, 0)->depth &&
            ts_node_eq(ts_node_named_child(declaration->node, 0), binding))
            return ts_node_start_byte(declaration->node);
        node = binding;
    }
    for (uint32_t i = 0; i < LEVELS_MOST; i++) {
        const TSNode child = ts_node_child(node, i);

        if (ts_node_is_null(child)) break;
        if (!tree_is(child, "decorator")) return ts_node_start_byte(child);
    }
    return ts_node_start_byte(node);
}

/* Python: a body may be a docstring alone, which the lexer does not emit. */
static uint32_t docstring_end(const struct finding *f, TSNode body)
{
    TSNode first = tree_child(body, 0);

    if (f->language->functions != FUNCTIONS_INDENTED) return 0;
    if (tree_is(first, "expression_statement")) first = tree_child(first, 0);
    return tree_is(first, "string") || tree_is(first, "concatenated_string") ? ts_node_end_byte(first) : 0;
}

/* Where the body begins as fast says it: in Python behind the colon, in Ruby behind the name, in Scala at the `=`. */
static uint32_t body_at(const struct finding *f, TSNode body, uint32_t name_end)
{
    uint32_t at, token;

    if (ts_node_is_null(body) || f->language->functions == FUNCTIONS_RUBY) return name_end;
    at = ts_node_start_byte(body);
    if ((token = token_at(f, at)) == 0) return at;
    if (f->language->functions == FUNCTIONS_INDENTED) return token_end(f, token - 1);
    return f->language->functions == FUNCTIONS_SCALA && token_is(f, token - 1, "=") ? f->token[token - 1].at : at;
}

/* Adds the function of a node, if it is one: 1, 0, -ENOMEM. */
static int function_add(struct tree_walk *w, const struct tree_node *kind, TSNode node, uint32_t depth,
                        struct open_node *made)
{
    struct finding         *f = w->f;
    struct functions       *all = f->functions;
    const struct open_node *around = open_at(w, 0);
    const bool       bound = around->role == TREE_BINDING && around->depth + 1 == depth &&
        ts_node_eq(tree_bound(around->node), node);
    const TSNode     body = body_of(node, kind), none = { 0 };
    struct function  function = { .outer = made->function };
    struct tree_span of_class = made->class_name, name;
    uint32_t         end, last;

    if ((ts_node_is_null(body) && !kind->bodiless) || made->nested >= NESTED_MOST ||
        (w->row->flat && made->function != FUNCTION_NONE)) return 0;
    name = tree_name(f, kind->naming, node, bound ? around->node : none, &of_class);
    if (name.end <= name.at || (name.end - name.at == 4 && memcmp(f->text.at + name.at, "this", 4) == 0)) return 0;
    function.at = begin_of(w, node, bound);
    end = ts_node_end_byte(kind->ends_with_body ? body : node);
    function.token = token_at(f, function.at);
    function.token_end = token_at(f, end);
    if (function.token >= function.token_end || name.at < function.at || name.end > end) return 0;
    if (f->token[function.token].at < name.at) function.at = f->token[function.token].at;
    last = token_end(f, function.token_end - 1);
    function.end = last < end ? last : end;
    function.name_at = name.at;
    function.name_end = name.end;
    function.body = body_at(f, body, name.end);
    if (function.end < docstring_end(f, body)) function.end = docstring_end(f, body);
    if (function.end < name.end) function.end = name.end;
    if (function.body < name.end) function.body = name.end;
    if (function.body > function.end) function.body = function.end;
    function.class_at = of_class.at;
    function.class_end = of_class.end;
    if (ARRAY_GROW(all->at, all->room, all->count) < 0) return -ENOMEM;
    made->function = (uint32_t)all->count;
    made->nested++;
    all->at[all->count++] = function;
    return 1;
}

/* A node begins: the nodes of the row that ended before it are left, and it is entered if it is one. */
static int node_enter(struct tree_walk *w, TSNode node, uint32_t depth)
{
    struct bytes           *stack = &w->f->functions->stack;
    const TSSymbol          symbol = ts_node_symbol(node);
    const struct tree_node *kind;
    struct open_node        made;
    uint8_t                 place;
    int                     rc;

    while (open_count(w) && open_at(w, 0)->depth >= depth) stack->len -= sizeof made;
    place = symbol < w->kinds->count ? w->kinds->of[symbol] : 0;
    if (!place) return 0;
    kind = &w->row->node[place - 1];
    made = *open_at(w, 0);
    made.node = node;
    made.depth = depth;
    made.role = kind->role;
    if (kind->role == TREE_FUNCTION) {
        if ((rc = function_add(w, kind, node, depth, &made)) <= 0) return rc;
    } else if (kind->role == TREE_CLASS) {
        made.class_name = tree_name(w->f, kind->naming, node, node, &made.class_name);
        made.function = FUNCTION_NONE;
    }
    return bytes_append(stack, &made, sizeof made);
}

static int walk(struct tree_walk *w, const TSTree *made)
{
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(made));
    uint32_t     depth = 1;
    int          rc;

    w->f->functions->stack.len = 0;
    do rc = node_enter(w, ts_tree_cursor_current_node(&cursor), depth);
    while (rc == 0 && cursor_next(&cursor, &depth));
    ts_tree_cursor_delete(&cursor);
    return rc;
}

/* ---- a text ---- */

static const struct tree_row *row_of_language(const struct language *language)
{
    for (const struct tree_row *row = tree_rows; row->language; row++)
        if (strcmp(row->language, language->name) == 0) return row;
    return NULL;
}

bool function_tree_known(const struct language *language) { return row_of_language(language) != NULL; }

/* The kinds of a grammar's symbols; NULL when memory is out. */
static const struct tree_kinds *kinds_of(struct function_tree *tree, const struct tree_row *row,
                                         const TSLanguage *grammar)
{
    struct tree_kinds *kinds = tree->kinds;

    while (kinds < tree->kinds + tree->grammars && kinds->grammar != grammar) kinds++;
    if (kinds < tree->kinds + tree->grammars) return kinds;
    if (tree->grammars == GRAMMARS) return NULL;
    *kinds = (struct tree_kinds){ .grammar = grammar, .count = ts_language_symbol_count(grammar) };
    if (!(kinds->of = calloc(kinds->count, 1))) return NULL;
    for (uint32_t s = 0; s < kinds->count; s++) {
        if (ts_language_symbol_type(grammar, (TSSymbol)s) != TSSymbolTypeRegular) continue;
        for (uint8_t i = 0; row->node[i].type; i++)
            if (strcmp(ts_language_symbol_name(grammar, (TSSymbol)s), row->node[i].type) == 0)
                kinds->of[s] = (uint8_t)(i + 1);
    }
    tree->grammars++;
    return kinds;
}

/* The tree with fewer errors, of the row's grammars; NULL: given up. */
static TSTree *tree_of(const struct tree_row *row, struct slice text, const TSLanguage **grammar, uint64_t *errors)
{
    const bool        other = row->mark && !memmem(text.at, text.len, row->mark, strlen(row->mark));
    const TSLanguage *second = row->other && !row->mark ? row->other() : NULL;
    TSTree           *made, *again;
    uint64_t          fewer;

    *grammar = other ? row->other() : row->grammar();
    if (!(made = parse(*grammar, text))) return NULL;
    if (!(*errors = errors_of(made)) || !second || !(again = parse(second, text))) return made;
    if ((fewer = errors_of(again)) >= *errors) {
        ts_tree_delete(again);
        return made;
    }
    *errors = fewer;
    *grammar = second;
    ts_tree_delete(made);
    return again;
}

/* 1, 0 when it is given up, -ENOMEM; what the parser cannot have makes it jump out. */
static int find(struct finding *f)
{
    struct functions *functions = f->functions;
    struct tree_walk  w = { f, row_of_language(f->language), NULL };
    const TSLanguage *grammar;
    TSTree           *made;
    int               rc;

    if (!(made = tree_of(w.row, f->text, &grammar, &functions->told.errors))) return 0;
    rc = (w.kinds = kinds_of(functions->tree, w.row, grammar)) ? walk(&w, made) : -ENOMEM;
    ts_tree_delete(made);
    return rc < 0 ? rc : 1;
}

struct task { struct finding *f; int rc; };

static void *task_run(void *context)
{
    struct task *task = context;
    jmp_buf      out;

    memory.out = &out;
    task->rc = setjmp(out) ? -ENOMEM : find(task->f);
    memory.out = NULL;
    return NULL;
}

/* The parser goes down its own stack of tokens by recursion when it lets go of it: a larger text than the smallest has
 * a thread whose stack holds that. */
static int task_run_apart(struct task *task)
{
    const size_t   stack = (1u << 20) + (size_t)STACK * task->f->text.len;
    pthread_attr_t attributes;
    pthread_t      thread;
    int            rc = pthread_attr_init(&attributes);

    if (rc) return -ENOMEM;
    rc = pthread_attr_setstacksize(&attributes, stack);
    if (rc == 0) rc = pthread_create(&thread, &attributes, task_run, task);
    pthread_attr_destroy(&attributes);
    if (rc) return -ENOMEM;
    pthread_join(thread, NULL);
    return task->rc;
}

int function_tree_find(struct finding *f)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct task           task = { f, 0 };

    if (f->text.len > TREE_MOST_BYTES) return 0;
    if (!f->functions->tree && !(f->functions->tree = calloc(1, sizeof *f->functions->tree))) return -ENOMEM;
    pthread_once(&once, memory_count);
    if (f->text.len > SMALL) return task_run_apart(&task);
    task_run(&task);
    return task.rc;
}

void function_tree_free(struct function_tree *tree)
{
    if (!tree) return;
    for (size_t i = 0; i < tree->grammars; i++) free(tree->kinds[i].of);
    free(tree);
}

#else

bool function_tree_known(const struct language *language)
{
    (void)language;
    return false;
}

int function_tree_find(struct finding *f)
{
    (void)f;
    return 0;
}

void function_tree_free(struct function_tree *tree) { (void)tree; }

#endif
