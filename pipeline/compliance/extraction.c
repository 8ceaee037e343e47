/* compliance/extraction.c -- see extraction.h. */
#include "compliance/extraction.h"

#include "code/lexing.h"
#include "similarity/comments.h"

static struct slice from(struct slice text, size_t at) { return (struct slice){ text.at + at, text.len - at }; }

/* Where a part begins, or SIZE_MAX. */
static size_t find(struct slice text, const char *part, size_t len)
{
    const char *found = text.len >= len ? memmem(text.at, text.len, part, len) : NULL;

    return found ? (size_t)(found - text.at) : SIZE_MAX;
}

static size_t find_word(struct slice text, const char *part) { return find(text, part, strlen(part)); }

/* Where the text is no white space any more. */
static struct slice without_space(struct slice text)
{
    for (size_t used; text.len && unicode_is_space(unicode_decode(text.at, text.len, &used));) text = from(text, used);
    return text;
}

/* What stands between ``` and ```; false where there is no such block. */
static bool fenced(struct slice text, bool python, bool closed, struct slice *out)
{
    const char *opener = python ? "```python" : "```";
    size_t      at = find_word(text, opener), end;

    if (at == SIZE_MAX) return false;
    text = from(text, at + strlen(opener));
    if (!python && text.len >= 6 && memcmp(text.at, "python", 6) == 0) text = from(text, 6);
    text = without_space(text);
    end = find_word(text, "```");
    if (end == SIZE_MAX && closed) return false;
    *out = (struct slice){ text.at, end == SIZE_MAX ? text.len : end };
    return true;
}

/* Of a head's name on: what follows the end of its line. */
static struct slice behind_head(struct slice text)
{
    const size_t at = find_word(text, ":\n");

    return at != SIZE_MAX ? from(text, at + 2) : from(text, text.len ? 1 : 0);
}

/* Behind the name of the first function that begins a line but the first; false: there is none. */
static bool any_function(struct slice text, struct slice *out)
{
    for (struct slice rest = text;;) {
        const size_t at = find_word(rest, "\ndef");
        size_t       end, used;
        struct slice name;

        if (at == SIZE_MAX) return false;
        rest = from(rest, at + 4);
        name = without_space(rest);
        for (end = 0; end < name.len; end += used)
            if (!unicode_is_word(unicode_decode(name.at + end, name.len - end, &used))) break;
        if (name.at == rest.at || !end) continue;
        *out = from(name, end);
        if (without_space(*out).len && *without_space(*out).at == '(') return true;
    }
}

static struct slice without_docstring(struct slice text)
{
    const struct slice code = without_space(text);
    size_t             end;

    if (code.len < 3 || (memcmp(code.at, "\"\"\"", 3) != 0 && memcmp(code.at, "'''", 3) != 0)) return text;
    end = find(from(code, 3), code.at, 3);
    return end == SIZE_MAX ? text : from(code, end + 6);
}

static struct slice cut_stripped(struct slice text, const char *mark)
{
    const size_t at = find_word(text, mark);

    return at == SIZE_MAX ? text : comments_strip((struct slice){ text.at, at });
}

struct slice extraction_body(struct slice text, struct slice signature)
{
    const char  *bracket = signature.len ? memchr(signature.at, '(', signature.len) : NULL;
    const size_t head = bracket ? (size_t)(bracket - signature.at) : signature.len;
    struct slice code = text, rest;
    size_t       at;

    if (!fenced(text, true, true, &code) && !fenced(text, false, true, &code)) fenced(text, false, false, &code);
    at = head ? find(code, signature.at, head) : SIZE_MAX;
    if (at != SIZE_MAX) code = behind_head(from(code, at + head));
    else if (any_function(code, &rest)) code = behind_head(rest);
    code = without_docstring(code);
    at = find_word(code, "\ndef");
    if (at != SIZE_MAX) code.len = at;
    code = cut_stripped(code, "__name__ == \"__main__\":");
    code = cut_stripped(code, "__name__ == '__main__':");
    return cut_stripped(code, "# Example usage");
}

struct slice extraction_answer(struct slice text, struct slice signature)
{
    struct slice body = extraction_body(text, signature);

    while (body.len && *body.at == '\n') body = from(body, 1);
    while (body.len && body.at[body.len - 1] == '\n') body.len--;
    return body;
}
