"""The ladder of changes that scripts/evaluate.sh makes to functions before it plants them.

A change is a function of (text, language, random.Random, pool) to the changed text; `pool` is a list of statements of
other functions.  Tokens are told by regular expressions of this file, not by the program's lexer,
which is what is evaluated.  What a change makes need not run; it looks like what people and models make of code."""
import re

KEYWORDS = {
    'python': set('False None True and as assert async await break class continue def del elif else except finally for '
                  'from global if import in is lambda nonlocal not or pass raise return try while with yield self cls '
                  'print len range str int list dict set tuple super'.split()),
    'java': set('abstract assert boolean break byte case catch char class const continue default do double else enum '
                'extends final finally float for goto if implements import instanceof int interface long native new '
                'package private protected public return short static strictfp super switch synchronized this throw '
                'throws transient try void volatile while true false null var record yield String Object'.split()),
}
TOKENS = {
    'python': re.compile(r'(?P<comment>#[^\n]*)'
                         r'|(?P<string>[rRbBuUfF]{0,2}(?:"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\''
                         r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'))', re.S),
    'java': re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)'
                       r'|(?P<string>"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')', re.S),
}
REST = re.compile(r'(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<line>\n)|(?P<blank>[ \t\r\f]+)'
                  r'|(?P<operator>\+=|-=|\*=|/=|==|!=|<=|>=|->|=>|\+\+|--|&&|\|\||::|//|\*\*|.)', re.S)


def tokens_of(text, language):
    """(kind, text) of all of it, white space too."""
    out, at, hides = [], 0, TOKENS[language]
    while at < len(text):
        match = hides.match(text, at) or REST.match(text, at)
        out.append((match.lastgroup, match.group()))
        at = match.end()
    return out


def joined(tokens):
    return ''.join(text for _, text in tokens)


def lines_of(text, language):
    """Logical lines: (indentation, text with its line feed, is a simple statement).  Brackets, strings and comments
    over several lines are one line; so are Java's statements up to their `;`, `{` or `}`."""
    out, line, depth = [], '', 0
    for kind, token in tokens_of(text, language):
        line += token
        if kind == 'operator' and token in '([{' and not (language == 'java' and token == '{'):
            depth += 1
        elif kind == 'operator' and token in ')]}' and not (language == 'java' and token == '}'):
            depth = max(0, depth - 1)
        elif kind == 'line' and depth == 0:
            bare = line.strip()
            if language == 'java' and bare and not bare.startswith(('//', '/*', '@')) and bare[-1] not in ';{}:/':
                continue                                    # goes on
            out.append(line)
            line = ''
    if line:
        out.append(line)
    return [(len(line) - len(line.lstrip(' \t')), line, is_simple(line.strip(), language)) for line in out]


def is_simple(bare, language):
    if language == 'python':
        return bool(bare) and not bare.endswith(':') and not bare.startswith(('#', '"""', "'''", '@', 'def ', 'class ',
                                                                             'else', 'elif', 'except', 'finally'))
    return bare.endswith(';') and not bare.startswith(('for ', 'for(', '//', '/*', 'case ', 'return', 'break', 'throw',
                                                      'continue', '}'))


def statements_of(text, language):
    """The simple statements of a function's body, without indentation and line feed."""
    return [line.strip() for _, line, simple in lines_of(text, language)[1:] if simple]


def local_names(tokens, language):
    """Names that are neither keywords, types, members nor called."""
    out = []
    code = [(kind, text) for kind, text in tokens if kind not in ('blank', 'line', 'comment')]
    for i, (kind, text) in enumerate(code):
        after = code[i + 1][1] if i + 1 < len(code) else ''
        before = code[i - 1][1] if i else ''
        if kind == 'name' and text not in KEYWORDS[language] and before not in ('.', '@', 'class', 'import') and \
                after != '(' and not text[0].isupper() and text not in out:
            out.append(text)
    return out


# ---- the ladder ----

def verbatim(text, language, random, pool):
    return text


def indented(text, language, random, pool):
    """One level is a tab, and the whole stands one level deeper."""
    out = []
    for line in text.splitlines(True):
        bare = line.lstrip(' ')
        depth = len(line) - len(bare)
        out.append(line if not bare.strip() else '\t' * (1 + depth // 4) + ' ' * (depth % 4) + bare)
    return ''.join(out)


def stripped(text, language, random, pool):
    """Without comments and docstrings."""
    out, code, opened = [], False, 0
    for kind, token in tokens_of(text, language):
        if kind == 'comment':
            continue
        if kind == 'string' and language == 'python' and not code:
            continue
        if kind == 'line':
            code = opened > 0
        elif kind != 'blank':
            code = True
            opened += (token in '([{') - (token in ')]}') if kind == 'operator' else 0
        out.append((kind, token))
    return ''.join(line for line in joined(out).splitlines(True) if line.strip())


def reformatted(text, language, random, pool):
    """Arguments on lines of their own, no blanks around operators, other braces: the same tokens in the same order."""
    out, depth, indent = [], 0, ''
    tokens = tokens_of(text, language)
    for i, (kind, token) in enumerate(tokens):
        if kind == 'line':
            indent = tokens[i + 1][1] if i + 1 < len(tokens) and tokens[i + 1][0] == 'blank' else ''
        if kind == 'operator' and token in '([':
            depth += 1
        if kind == 'operator' and token in ')]':
            depth -= 1
        if kind == 'blank' and 0 < i < len(tokens) - 1 and tokens[i - 1][0] != 'line':
            beside = tokens[i - 1], tokens[i + 1]
            if any(k == 'operator' and t in ('=', '==', '+', '<', '>', '+=', '&&', '||', '!=') for k, t in beside):
                continue
        if language == 'java' and token == '{' and kind == 'operator':
            while out and not out[-1].strip():
                out.pop()
            out.append('\n' + indent + '{')
            continue
        out.append(token)
        if token == ',' and kind == 'operator' and depth:
            out.append('\n' + indent + '        ')
    return ''.join(out)


def renamed(text, language, random, pool):
    """Each local name has another one throughout, and so has the function."""
    tokens = tokens_of(text, language)
    names = local_names(tokens, language)
    words = 'value item entry node state result buffer index first second current data'.split()
    fresh = {name: '%s%d' % (random.choice(words), i) for i, name in enumerate(names)}
    head = re.search(r'\bdef\s+(\w+)', text) if language == 'python' else re.search(r'(\w+)\s*\(', text)
    if head:
        fresh[head.group(1)] = 'process' + str(random.randrange(100))
    return joined([(kind, fresh.get(token, token) if kind == 'name' else token) for kind, token in tokens])


def renamed_at_random(text, language, random, pool):
    """Each occurrence of a local name has a name of its own."""
    tokens = tokens_of(text, language)
    names = set(local_names(tokens, language))
    return joined([(kind, 'v%d' % random.randrange(10 ** 4) if kind == 'name' and token in names else token)
                   for kind, token in tokens])


def literals(text, language, random, pool):
    """Other numbers and strings; docstrings stay."""
    out = []
    for kind, token in tokens_of(text, language):
        if kind == 'number':
            token = str(random.randrange(2, 900))
        elif kind == 'string' and not token.lstrip('rRbBuUfF').startswith(('"""', "'''")):
            token = token[0] + 'text%d' % random.randrange(900) + token[-1] if token[0] in '"\'' else token
            if language == 'java' and token[0] == "'":
                token = "'%c'" % random.choice('abcdxyz')
        out.append((kind, token))
    return joined(out)


def edited(count):
    def change(text, language, random, pool):
        lines = lines_of(text, language)
        simple = [i for i, (_, _, is_one) in enumerate(lines) if is_one and i > 0]
        for i in random.sample(simple, min(count, len(simple))):
            indent, line, _ = lines[i]
            lines[i] = indent, line[:indent] + random.choice(pool) + '\n', True
        return ''.join(line for _, line, _ in lines)
    change.__doc__ = ('One statement is' if count == 1 else '%d statements (or all) are' % count) + \
        ' that of another function.'
    return change


def reordered(text, language, random, pool):
    """Every pair of neighbouring statements of one indentation is swapped."""
    lines, i = lines_of(text, language), 1
    while i + 1 < len(lines):
        if lines[i][2] and lines[i + 1][2] and lines[i][0] == lines[i + 1][0]:
            lines[i], lines[i + 1] = lines[i + 1], lines[i]
            i += 1
        i += 1
    return ''.join(line if line.endswith('\n') else line + '\n' for _, line, _ in lines)


def half(text, language, random, pool):
    """The first half of its lines."""
    lines = text.splitlines(True)
    return ''.join(lines[:(len(lines) + 1) // 2])


def style(text, language, random, pool):
    """As if written after the other: names in the other case, `x += y` in full, other quotes, no comments."""
    out = []
    for kind, token in tokens_of(stripped(text, language, random, pool), language):
        if kind == 'name' and token not in KEYWORDS[language]:
            if '_' in token.strip('_'):
                token = re.sub(r'(?<=[a-z0-9])_+([a-z])', lambda m: m.group(1).upper(), token)
            else:
                token = re.sub(r'(?<=[a-z0-9])([A-Z])', lambda m: '_' + m.group(1).lower(), token)
        if kind == 'string' and language == 'python' and token[0] in '"\'' and not ({'"', "'"} <= set(token)):
            token = token.replace(token[0], '"' if token[0] == "'" else "'")
        out.append((kind, token))
    return re.sub(r'([\w.]+) ([-+*/])= ', r'\1 = \1 \2 ', joined(out)).replace('++;', ' += 1;')


LADDER = {
    'verbatim': verbatim, 're-indented': indented, 'comments, docstring stripped': stripped, 'reformatted': reformatted,
    'renamed consistently': renamed, 'renamed at random': renamed_at_random, 'literals changed': literals,
    '1 statement edited': edited(1), '3 statements edited': edited(3), '10 statements edited': edited(10),
    'statements reordered': reordered, 'half of it': half, 'translated style': style,
}
