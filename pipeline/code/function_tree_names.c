/* code/function_tree_names.c -- what names a node of a tree, by language. */
#include "code/function_tree.h"
#include "code/rows.h"

#ifdef HAVE_TREE

static const TSNode null_node;
static const struct tree_span nothing;

TSNode tree_field(TSNode node, const char *name)
{
    return ts_node_is_null(node) ? node : ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

TSNode tree_child(TSNode node, uint32_t i) { return ts_node_is_null(node) ? node : ts_node_named_child(node, i); }

bool tree_is(TSNode node, const char *type) { return !ts_node_is_null(node) && strcmp(ts_node_type(node), type) == 0; }

static bool is_one_of(TSNode node, const char *const *types)
{
    for (; *types; types++)
        if (tree_is(node, *types)) return true;
    return false;
}

static struct tree_span span_of(TSNode node)
{
    return ts_node_is_null(node) ? nothing : (struct tree_span){ ts_node_start_byte(node), ts_node_end_byte(node) };
}

/* Without the white space at its end. */
static struct tree_span trimmed(const struct finding *f, struct tree_span span)
{
    while (span.end > span.at && (unsigned char)f->text.at[span.end - 1] <= ' ') span.end--;
    return span;
}

static TSNode last_child(TSNode node)
{
    const uint32_t count = ts_node_named_child_count(node);

    return count ? ts_node_named_child(node, count - 1) : null_node;
}

/* ---- C, C++ ---- */

/* Where a macro was misread a keyword may stand where the name does. */
static struct tree_span unless_keyword(const struct finding *f, struct tree_span span)
{
    for (const char *const *word = keywords_cpp; *word; word++)
        if (strlen(*word) == span.end - span.at && memcmp(*word, f->text.at + span.at, span.end - span.at) == 0)
            return nothing;
    return span;
}

/* operator int *() const: up to the parameters. */
static struct tree_span cast_name(const struct finding *f, TSNode node)
{
    TSNode at = tree_field(node, "declarator"), parameters = tree_field(at, "parameters");

    for (int i = 0; i < LEVELS_MOST && !ts_node_is_null(at) && ts_node_is_null(parameters); i++) {
        const TSNode next = tree_field(at, "declarator");

        at = ts_node_is_null(next) ? last_child(at) : next;
        parameters = tree_field(at, "parameters");
    }
    return ts_node_is_null(parameters) ? span_of(node)
        : trimmed(f, (struct tree_span){ ts_node_start_byte(node), ts_node_start_byte(parameters) });
}

static struct tree_span declarator(const struct finding *f, TSNode node, struct tree_span *of_class)
{
    static const char *const names[] = { "identifier", "field_identifier", "destructor_name", "operator_name",
                                         NULL };
    TSNode at = tree_field(node, "declarator"), next;

    for (int i = 0; i < LEVELS_MOST && !ts_node_is_null(at); i++) {
        if (tree_is(at, "operator_cast")) return cast_name(f, at);
        if (is_one_of(at, names)) return unless_keyword(f, span_of(at));
        if (tree_is(at, "qualified_identifier")) {
            next = tree_field(at, "scope");
            *of_class = span_of(tree_is(next, "template_type") ? tree_field(next, "name") : next);
            at = tree_field(at, "name");
        } else if (tree_is(at, "template_function") || tree_is(at, "template_method")) {
            at = tree_field(at, "name");
        } else at = ts_node_is_null(next = tree_field(at, "declarator")) ? last_child(at) : next;
    }
    return nothing;
}

/* ---- JavaScript, TypeScript ---- */

static TSNode bound_name(TSNode binding)
{
    static const char *const fields[] = { "name", "left", "property", "key", "pattern", NULL };
    TSNode left = null_node;

    for (const char *const *field = fields; *field && ts_node_is_null(left); field++)
        left = tree_field(binding, *field);
    return tree_is(left, "member_expression") ? tree_field(left, "property") : left;
}

TSNode tree_bound(TSNode binding)
{
    static const char *const functions[] = { "function_expression", "generator_function", "arrow_function", NULL };
    TSNode value = tree_field(binding, "value");

    if (ts_node_is_null(value)) value = tree_field(binding, "right");
    return is_one_of(value, functions) && ts_node_is_null(tree_field(value, "name")) ? value : null_node;
}

static struct tree_span script(const struct finding *f, TSNode node, TSNode around)
{
    static const char *const names[] = { "identifier", "property_identifier", "private_property_identifier",
                                         "shorthand_property_identifier_pattern", NULL };
    TSNode           own = tree_field(node, "name");
    struct tree_span name;

    if (ts_node_is_null(own) && !ts_node_is_null(around)) own = bound_name(around);
    if (!is_one_of(own, names)) return nothing;
    name = span_of(own);
    name.at += name.at < name.end && f->text.at[name.at] == '#';
    return name;
}

/* ---- Go, Rust, C# ---- */

static struct tree_span receiver(TSNode node)
{
    TSNode at = tree_field(tree_child(tree_field(node, "receiver"), 0), "type");

    for (int i = 0; i < LEVELS_MOST && !ts_node_is_null(at) && !tree_is(at, "type_identifier"); i++)
        at = tree_is(at, "generic_type") ? tree_field(at, "type") : tree_child(at, 0);
    return span_of(at);
}

/* a::B<C>, &B, [B]: B, from the node's field on. */
static struct tree_span innermost_name(TSNode node, const char *field_of_node)
{
    static const char *const names[] = { "type_identifier", "primitive_type", "constant", NULL };
    static const char *const fields[] = { "name", "type", "element", "trait", NULL };
    TSNode at = tree_field(node, field_of_node), next;

    for (int i = 0; i < LEVELS_MOST && !ts_node_is_null(at) && !is_one_of(at, names); i++) {
        next = null_node;
        for (const char *const *field = fields; *field && ts_node_is_null(next); field++) next = tree_field(at, *field);
        at = next;
    }
    return span_of(at);
}

static struct tree_span operator_name(const struct finding *f, TSNode node)
{
    const TSNode   parameters = tree_field(node, "parameters");
    const uint32_t count = ts_node_child_count(node) < LEVELS_MOST ? ts_node_child_count(node) : LEVELS_MOST;

    for (uint32_t i = 0; i < count && !ts_node_is_null(parameters); i++)
        if (tree_is(ts_node_child(node, i), "operator"))
            return trimmed(f, (struct tree_span){ ts_node_start_byte(ts_node_child(node, i)),
                                                  ts_node_start_byte(parameters) });
    return nothing;
}

struct tree_span tree_name(const struct finding *f, enum tree_naming naming, TSNode node, TSNode around,
                           struct tree_span *of_class)
{
    struct tree_span name;

    switch (naming) {
    case NAMED_NOT: return nothing;
    case NAMED_DECLARATOR: return declarator(f, node, of_class);
    case NAMED_SCRIPT: return script(f, node, around);
    case NAMED_TYPE: return innermost_name(node, "type");
    case NAMED_LAST: return innermost_name(node, "name");
    case NAMED_OPERATOR: return operator_name(f, node);
    default: break;
    }
    name = span_of(tree_field(node, "name"));
    if (name.end - name.at > 2 && f->text.at[name.at] == '`' && f->text.at[name.end - 1] == '`') name.at++, name.end--;
    if (naming == NAMED_RECEIVER) *of_class = receiver(node);
    if (naming == NAMED_TILDE && name.at > ts_node_start_byte(node) && f->text.at[name.at - 1] == '~') name.at--;
    return name;
}

#endif
