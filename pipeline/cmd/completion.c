/* cmd/completion.c -- see completion.h. */
#include "cmd/completion.h"

#include "cmd/offer.h"
#include "config/explain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BRIEF_MOST = 70 };

/* A command, or a word of one, as a script has it. */
struct entry {
    char         name[64];                                  /* "run", "audit verdict" */
    const char  *brief;
    struct usage usage;
    struct offer first, rest;
};

/* One shell's way to say it. */
struct shell {
    const char *name;
    int       (*begin)(const struct bytes *keys, struct bytes *out);
    int       (*entry)(const struct entry *entry, struct bytes *out);
    int       (*end)(struct bytes *out);
};

/* The first phrase of what an option means, without what a shell would read as its own. */
static int brief_put(const char *text, struct bytes *out)
{
    int rc = 0;

    for (size_t i = 0; text[i] && i < BRIEF_MOST && rc == 0; i++) {
        if (strchr(".;:\n", text[i]) && (text[i] == '\n' || text[i + 1] == ' ' || !text[i + 1])) break;
        if (text[i] == '(' || (text[i] == ' ' && text[i + 1] == '(')) break;
        if (!strchr("'\"`\\[]$:", text[i])) rc = bytes_append(out, &text[i], 1);
    }
    return rc;
}

/* Calls put for every option of the entry, --help once. */
static int options_each(const struct entry *entry,
                        int (*put)(const struct entry *entry, const struct usage_option *option, const char *text,
                                   struct bytes *out), struct bytes *out)
{
    struct usage_option option, help = { SLICE("--help"), { "", 0 } };
    bool                helps = false;
    int                 rc = 0;

    for (size_t i = 0; i < entry->usage.count && rc == 0; i++) {
        const struct usage_part *row = &entry->usage.part[i];

        for (size_t at = 0; rc == 0 && usage_option_next(row, &at, &option); ) {
            rc = put(entry, &option, row->text.at, out);
            helps |= slice_equal(option.name, help.name);
        }
    }
    return rc < 0 || helps ? rc : put(entry, &help, "what it does", out);
}

/* ---- bash ---- */

static const char bash_begin[] =
    "# bash completion for leakgraph, made by `leakgraph help --completion bash`\n"
    "_leakgraph() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} context=${COMP_WORDS[1]-} before word at=$COMP_CWORD base=2\n"
    "    local options='--help' takes='' first='' rest='' offer IFS=$' \\t\\n'\n";

static const char bash_words[] =
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD < 2)); then\n"
    "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$current\"))\n"
    "        return\n"
    "    fi\n"
    "    # bash takes NAME=VALUE and NAME:VALUE for three words\n"
    "    while ((at > 1)) && [[ ${COMP_WORDS[at]} == [=:] || ${COMP_WORDS[at-1]} == [=:] ]]; do at=$((at - 1)); done\n"
    "    if [[ $current == [=:] ]]; then current=''; fi\n"
    "    before=${COMP_WORDS[at-1]}\n"
    "    if ((at > 2)) && [[ $words == *\"|$context ${COMP_WORDS[2]}|\"* ]]; then\n"
    "        context=\"$context ${COMP_WORDS[2]}\" base=3\n"
    "    fi\n"
    "    case $context in\n";

static const char bash_end[] =
    "    esac\n"
    "    if [[ -n $takes ]]; then offer=$takes\n"
    "    elif [[ $current == -* ]]; then offer=$options\n"
    "    elif ((at == base)); then offer=$first\n"
    "    else offer=$rest; fi\n"
    "    for word in ${offer:-$options}; do\n"
    "        case $word in\n"
    "        \\<file\\>) compopt -o filenames 2>/dev/null\n"
    "            while IFS= read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -f -- \"$current\") ;;\n"
    "        \\<folder\\>) compopt -o filenames 2>/dev/null\n"
    "            while IFS= read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -d -- \"$current\") ;;\n"
    "        \\<command\\>) COMPREPLY+=($(compgen -W \"$commands\" -- \"$current\")) ;;\n"
    "        \\<key\\>) COMPREPLY+=($(compgen -W \"$keys\" -- \"$current\")) ;;\n"
    "        \\<setting\\>) compopt -o nospace 2>/dev/null\n"
    "            ((at < COMP_CWORD)) || COMPREPLY+=($(compgen -S = -W \"$keys\" -- \"$current\")) ;;\n"
    "        \\<nothing\\>) ;;\n"
    "        *) COMPREPLY+=($(compgen -W \"$word\" -- \"$current\")) ;;\n"
    "        esac\n"
    "    done\n"
    "}\n"
    "complete -F _leakgraph leakgraph\n";

/* The commands, and the words of commands as |audit verdict|. */
static int bash_start(const struct bytes *keys, struct bytes *out)
{
    int rc = bytes_printf(out, "%s    local commands='", bash_begin);

    for (size_t i = 0; command_at(i) && rc == 0; i++) rc = bytes_printf(out, "%s%s", i ? " " : "", command_at(i)->name);
    if (rc == 0) rc = bytes_printf(out, "'\n    local words='|");
    for (size_t i = 0; command_at(i) && rc == 0; i++)
        for (size_t w = 0; command_word_at(command_at(i), w) && rc == 0; w++)
            rc = bytes_printf(out, "%s %s|", command_at(i)->name, command_word_at(command_at(i), w)->name);
    if (rc == 0) rc = bytes_printf(out, "'\n    local keys='");
    if (rc == 0) rc = bytes_append_slice(out, bytes_slice(keys));
    return rc < 0 ? rc : bytes_printf(out, "'\n%s", bash_words);
}

static int bash_offer(const struct offer *offer, const char *none, struct bytes *out)
{
    return bytes_printf(out, "'%s%s%s%s%s%s%s'", offer->words.len ? offer->words.at : "",
                        offer->file ? " <file>" : "", offer->folder && !offer->file ? " <folder>" : "",
                        offer->command ? " <command>" : "", offer->key ? " <key>" : "",
                        offer->setting ? " <setting>" : "", offer_some(offer) ? "" : none);
}

static int bash_name(const struct entry *entry, const struct usage_option *option, const char *text, struct bytes *out)
{
    (void)entry;
    (void)text;
    return bytes_printf(out, " %.*s", (int)option->name.len, option->name.at);
}

static int bash_value(const struct entry *entry, const struct usage_option *option, const char *text, struct bytes *out)
{
    struct offer offer = { 0 };
    int          rc;

    (void)text;
    if (!option->value.len) return 0;
    rc = offer_add(&offer, &entry->usage, option->value);
    if (rc == 0) rc = bytes_printf(out, "        %.*s) takes=", (int)option->name.len, option->name.at);
    if (rc == 0) rc = bash_offer(&offer, "<nothing>", out);
    offer_free(&offer);
    return rc < 0 ? rc : bytes_printf(out, " ;;\n");
}

static int bash_entry(const struct entry *entry, struct bytes *out)
{
    int rc = bytes_printf(out, "    '%s')\n        options='", entry->name);

    if (rc == 0) rc = options_each(entry, bash_name, out);
    if (rc == 0) rc = bytes_printf(out, "'\n        first=");
    if (rc == 0) rc = bash_offer(&entry->first, "", out);
    if (rc == 0) rc = bytes_printf(out, " rest=");
    if (rc == 0) rc = bash_offer(&entry->rest, "", out);
    if (rc == 0) rc = bytes_printf(out, "\n        case $before in\n");
    if (rc == 0) rc = options_each(entry, bash_value, out);
    return rc < 0 ? rc : bytes_printf(out, "        esac ;;\n");
}

static int bash_finish(struct bytes *out) { return bytes_printf(out, "%s", bash_end); }

/* ---- zsh ---- */

static const char zsh_words[] =
    "    local context=$words[2]\n"
    "    if (( CURRENT == 2 )); then\n"
    "        _describe -t commands 'leakgraph command' commands\n"
    "        return\n"
    "    fi\n"
    "    if (( CURRENT > 3 )) && (( $word_commands[(Ie)$words[2] $words[3]] )); then\n"
    "        context=\"$words[2] $words[3]\"\n"
    "        shift words\n"
    "        (( CURRENT -= 1 ))\n"
    "    fi\n"
    "    shift words\n"
    "    (( CURRENT -= 1 ))\n"
    "    case $context in\n";

static int zsh_start(const struct bytes *keys, struct bytes *out)
{
    int rc = bytes_printf(out, "#compdef leakgraph\n# zsh completion for leakgraph, made by `leakgraph help "
                               "--completion zsh`\n_leakgraph() {\n    local -a commands word_commands keys\n"
                               "    commands=(\n");

    for (size_t i = 0; command_at(i) && rc == 0; i++) {
        rc = bytes_printf(out, "        '%s:", command_at(i)->name);
        if (rc == 0) rc = brief_put(command_at(i)->brief, out);
        if (rc == 0) rc = bytes_printf(out, "'\n");
    }
    if (rc == 0) rc = bytes_printf(out, "    )\n    word_commands=(");
    for (size_t i = 0; command_at(i) && rc == 0; i++)
        for (size_t w = 0; command_word_at(command_at(i), w) && rc == 0; w++)
            rc = bytes_printf(out, " '%s %s'", command_at(i)->name, command_word_at(command_at(i), w)->name);
    if (rc == 0) rc = bytes_printf(out, " )\n    keys=( ");
    if (rc == 0) rc = bytes_append_slice(out, bytes_slice(keys));
    return rc < 0 ? rc : bytes_printf(out, " )\n%s", zsh_words);
}

/* An action of _arguments; a lone blank offers nothing. */
static int zsh_offer(const struct offer *offer, struct bytes *out)
{
    const bool some = offer_some(offer);
    int        rc = bytes_printf(out, some ? "{" : " ");

    if (rc == 0 && offer->words.len) rc = bytes_printf(out, "compadd -- %s; ", offer->words.at);
    if (rc == 0 && offer->command) rc = bytes_printf(out, "compadd -- ${commands%%%%:*}; ");
    if (rc == 0 && offer->key) rc = bytes_printf(out, "compadd -a keys; ");
    if (rc == 0 && offer->setting) rc = bytes_printf(out, "compadd -S = -a keys; ");
    /* NAME=GLOB: the file begins behind the sign; a colon alone would end the action */
    if (rc == 0 && offer->file) rc = bytes_printf(out, "compset -P \"*[=\\:]\"; _files");
    else if (rc == 0 && offer->folder) rc = bytes_printf(out, "_files -/");
    return rc < 0 || !some ? rc : bytes_append(out, "}", 1);
}

static int zsh_option(const struct entry *entry, const struct usage_option *option, const char *text, struct bytes *out)
{
    struct offer offer = { 0 };
    int          rc = offer_add(&offer, &entry->usage, option->value);

    if (rc == 0) rc = bytes_printf(out, " \\\n            '*%.*s[", (int)option->name.len, option->name.at);
    if (rc == 0) rc = brief_put(text, out);
    if (rc == 0) rc = bytes_append(out, "]", 1);
    if (rc == 0 && option->value.len) rc = bytes_printf(out, ":value:");
    if (rc == 0 && option->value.len) rc = zsh_offer(&offer, out);
    offer_free(&offer);
    return rc < 0 ? rc : bytes_append(out, "'", 1);
}

static int zsh_entry(const struct entry *entry, struct bytes *out)
{
    int rc = bytes_printf(out, "    '%s')\n        _arguments", entry->name);

    if (rc == 0) rc = options_each(entry, zsh_option, out);
    if (rc == 0) rc = bytes_printf(out, " \\\n            '1:argument:");
    if (rc == 0) rc = zsh_offer(&entry->first, out);
    if (rc == 0) rc = bytes_printf(out, "' '*:argument:");
    if (rc == 0) rc = zsh_offer(&entry->rest, out);
    return rc < 0 ? rc : bytes_printf(out, "' ;;\n");
}

static int zsh_finish(struct bytes *out) { return bytes_printf(out, "    esac\n}\n_leakgraph \"$@\"\n"); }

/* ---- fish ---- */

static int fish_start(const struct bytes *keys, struct bytes *out)
{
    int rc = bytes_printf(out,
        "# fish completion for leakgraph, made by `leakgraph help --completion fish`\n"
        "function __leakgraph_in\n"
        "    set -l words (commandline -opc)\n"
        "    set -e words[1]\n"
        "    test (count $words) -ge (count $argv); or return 1\n"
        "    set -l begin $words[1..(count $argv)]\n"
        "    test \"$begin\" = \"$argv\"\n"
        "end\n"
        "function __leakgraph_first\n"
        "    set -l words (commandline -opc)\n"
        "    set -e words[1]\n"
        "    test \"$words\" = \"$argv\"\n"
        "end\n"
        "function __leakgraph_rest\n"
        "    __leakgraph_in $argv; and not __leakgraph_first $argv\n"
        "end\n"
        "function __leakgraph_keys\n"
        "    string split ' ' '");

    if (rc == 0) rc = bytes_append_slice(out, bytes_slice(keys));
    return rc < 0 ? rc : bytes_printf(out, "'\nend\ncomplete -c leakgraph -f\n"
                                           "complete -c leakgraph -n 'test (count (commandline -opc)) -eq 1' -l help\n"
                                           "complete -c leakgraph -n 'test (count (commandline -opc)) -eq 1' -l "
                                           "version\n");
}

/* One list of all, as the last -a alone counts. */
static int fish_offer(const struct offer *offer, struct bytes *out)
{
    const bool list = offer->words.len || offer->command || offer->key || offer->setting ||
        (offer->folder && !offer->file);
    int        rc = list ? bytes_printf(out, " -a '%s", offer->words.len ? offer->words.at : "") : 0;

    for (size_t i = 0; offer->command && command_at(i) && rc == 0; i++)
        rc = bytes_printf(out, " %s", command_at(i)->name);
    if (rc == 0 && offer->key) rc = bytes_printf(out, " (__leakgraph_keys)");
    if (rc == 0 && offer->setting) rc = bytes_printf(out, " (__leakgraph_keys)=");
    if (rc == 0 && offer->folder && !offer->file) rc = bytes_printf(out, " (__fish_complete_directories)");
    if (rc == 0 && list) rc = bytes_append(out, "'", 1);
    return rc < 0 || !offer->file ? rc : bytes_printf(out, " -F");
}

static int fish_option(const struct entry *entry, const struct usage_option *option, const char *text,
                       struct bytes *out)
{
    struct offer offer = { 0 };
    int          rc = offer_add(&offer, &entry->usage, option->value);

    if (option->name.len > 2 && option->name.at[1] == '-') {
        if (rc == 0) rc = bytes_printf(out, "complete -c leakgraph -n '__leakgraph_in %s' -l %.*s", entry->name,
                                       (int)option->name.len - 2, option->name.at + 2);
        if (rc == 0 && option->value.len) rc = bytes_printf(out, offer.file ? " -r" : " -x");
        if (rc == 0) rc = fish_offer(&offer, out);
        if (rc == 0) rc = bytes_printf(out, " -d '");
        if (rc == 0) rc = brief_put(text, out);
        if (rc == 0) rc = bytes_printf(out, "'\n");
    }
    offer_free(&offer);
    return rc;
}

static int fish_argument(const struct entry *entry, const char *where, const struct offer *offer, struct bytes *out)
{
    const size_t before = out->len;
    size_t       begin;
    int          rc = bytes_printf(out, "complete -c leakgraph -n '__leakgraph_%s %s'", where, entry->name);

    begin = out->len;
    if (rc == 0) rc = fish_offer(offer, out);
    if (rc == 0 && out->len == begin) out->len = before;    /* nothing is offered */
    else if (rc == 0) rc = bytes_append(out, "\n", 1);
    return rc;
}

static int fish_entry(const struct entry *entry, struct bytes *out)
{
    const char *word = strchr(entry->name, ' ');
    int         rc = bytes_printf(out, "complete -c leakgraph -n '");

    if (rc == 0) rc = word ? bytes_printf(out, "__leakgraph_first %.*s", (int)(word - entry->name), entry->name)
                           : bytes_printf(out, "test (count (commandline -opc)) -eq 1");
    if (rc == 0) rc = bytes_printf(out, "' -a %s -d '", word ? word + 1 : entry->name);
    if (rc == 0) rc = brief_put(entry->brief, out);
    if (rc == 0) rc = bytes_printf(out, "'\n");
    if (rc == 0) rc = options_each(entry, fish_option, out);
    if (rc == 0) rc = fish_argument(entry, "first", &entry->first, out);
    return rc < 0 ? rc : fish_argument(entry, "rest", &entry->rest, out);
}

static int fish_finish(struct bytes *out)
{
    (void)out;
    return 0;
}

/* ---- all commands ---- */

static int entry_put(const struct shell *shell, const struct command *command, const struct command *word,
                     struct bytes *out, struct err *err)
{
    struct entry entry = { .brief = (word ? word : command)->brief };
    struct bytes text = { 0 };
    int          rc = usage_print(command, word, &text, err);

    snprintf(entry.name, sizeof entry.name, "%s%s%s", command->name, word ? " " : "", word ? word->name : "");
    if (rc < 0) return rc;
    rc = usage_read(&entry.usage, bytes_slice(&text));
    if (rc == 0) rc = offer_arguments(&entry.usage, word ? 3 : 2, &entry.first, &entry.rest);
    for (size_t w = 0; !word && command_word_at(command, w) && rc == 0; w++)
        rc = offer_words(&entry.first, slice_of(command_word_at(command, w)->name));
    if (rc == 0) rc = shell->entry(&entry, out);
    offer_free(&entry.first);
    offer_free(&entry.rest);
    usage_free(&entry.usage);
    bytes_free(&text);
    return rc < 0 ? err_memory(err, out->len, "a completion") : 0;
}

int completion_script(const char *name, struct bytes *out, struct err *err)
{
    static const struct shell shells[] = {
        { "bash", bash_start, bash_entry, bash_finish },
        { "zsh", zsh_start, zsh_entry, zsh_finish },
        { "fish", fish_start, fish_entry, fish_finish },
    };
    const struct shell *shell = NULL;
    struct bytes        keys = { 0 };
    int                 rc;

    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, name) == 0) shell = &shells[i];
    if (!shell) return err_set(err, -EINVAL, "no completion for the shell `%.40s`: bash, zsh and fish have one", name);

    rc = explain_keys(true, &keys);
    for (size_t i = 0; i < keys.len; i++)
        if (keys.at[i] == '\n') keys.at[i] = ' ';
    if (keys.len) keys.len--;
    if (rc == 0) rc = shell->begin(&keys, out);
    bytes_free(&keys);
    if (rc < 0) return err_memory(err, out->len, "a completion");
    for (size_t i = 0; command_at(i) && rc == 0; i++) {
        rc = entry_put(shell, command_at(i), NULL, out, err);
        for (size_t w = 0; command_word_at(command_at(i), w) && rc == 0; w++)
            rc = entry_put(shell, command_at(i), command_word_at(command_at(i), w), out, err);
    }
    return rc < 0 ? rc : shell->end(out) < 0 ? err_memory(err, out->len, "a completion") : 0;
}
