// The parsers of compare.mjs.  Each is made by a function of `require` for the packages and of the language's word for
// it, and is a function from paths to a map of the names of each; a file that the parser finds errors in is not in it.
// A backquote stands before a name that is in quotes or has a mark: it is no keyword.
// What cannot be had throws, with the reason.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const name = /^[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*$/u;
const words = /[\p{L}_][\p{L}\p{N}_]*/gu;

// A parser of many files of one that gives a file's names or null.
const each = names_of => files => {
    const out = new Map();
    for (const file of files) {
        const names = names_of(file);
        if (names) out.set(file, names);
    }
    return out;
};

// "= PATH" and then a name a line, as names.* and identifiers.c print them.
export function listed(text) {
    const out = new Map();
    let list;
    for (const line of text.split('\n'))
        if (line.startsWith('= ')) out.set(line.slice(2), list = []);
        else if (line) list.push(line);
    return out;
}

function typescript(require, kind) {
    const ts = require('typescript');
    return each(file => {
        const text = fs.readFileSync(file, 'utf8');
        const script = { js: ts.ScriptKind.JSX, jsx: ts.ScriptKind.JSX, ts: ts.ScriptKind.TS, tsx: ts.ScriptKind.TSX };
        const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, script[kind]), out = [];
        if (source.parseDiagnostics.length) return null;
        (function visit(node) {
            if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
            const children = node.getChildren(source);
            if (children.length) return children.forEach(visit);
            if (node.kind === ts.SyntaxKind.JsxText || ts.isLiteralExpression(node)) return;
            const word = node.getText(source).replace(/^#/, '');
            if (name.test(node.kind === ts.SyntaxKind.Identifier ? word.replace(/-/g, '_') : word)) out.push(word);
        })(source);
        return out;
    });
}

const hidden = new RegExp('comment|string_content|string_fragment|string_literal_content|raw_string|heredoc_body|' +
    'character|escape|^text$|^content$|multi_line_str_text|line_str_text|string_start|string_end|' +
    'regex|type_conversion|heredoc_start|heredoc_end|' +
    'string_value|nowdoc|interpolation_format|encapsed_text|integer|float|number|' +
    'long_literal|unsigned_literal|format_spec|interpolated_string_text|interpolated_verbatim_string_text|' +
    'interpolated_raw_string_text|literal_content', 'i');

// Branches of the C preprocessor: the grammar for Haskell reads only the first.
const cpp = /^#[ \t]*[a-z]+\b(\\\n|.)*$/mg;
const directive = text => text.replace(/\/\/.*|"[^"]*"/g, '').match(words) || [];

const literal = /^(long_literal|unsigned_literal|type_conversion|format_specifier)$/;

async function tree(require, grammar) {
    const { Parser, Language } = require('web-tree-sitter');
    await Parser.init();
    const parser = new Parser(), wasm = require.resolve(grammar.endsWith('.wasm') ? grammar :
        `tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`);
    parser.setLanguage(await Language.load(wasm));
    const haskell = grammar.includes('haskell'), julia = grammar.includes('julia');
    const named = haskell ? /^[\p{L}_][\p{L}\p{N}_']*$/u : name;
    const text_directive = grammar === 'c_sharp' ? /^\s*#?\s*(region|end|error|warning)/ : /^#![ ]*\//;
    return each(file => {
        const out = [];
        let source = fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
        if (haskell) source = source.replace(cpp, line => (out.push(...directive(line)), ''));
        const parsed = parser.parse(source);
        if (parsed.rootNode.hasError) return parsed.delete(), null;
        (function visit(node) {
            if (node.childCount === 0) {
                if (haskell && /^(haddock|pragma|quasiquote_body)$/.test(node.type)) return;
                // a keyword's node is called as it is written: `float` of PHP's types is no literal
                if ((node.isNamed && hidden.test(node.type)) || literal.test(node.parent?.type)) return;
                if (/^(end)?region_directive|^(error|warning)_directive/.test(node.parent?.type)) return;
                // one leaf, whatever is in it: Swift's and C#'s directives, Rust's first attribute
                if (/^\s*[#@]|directive|shebang/.test(node.type)) {
                    if (text_directive.test(node.text)) return;
                    out.push(...directive(node.text));
                    return;
                }
                if (node.text.startsWith('`')) {
                    out.push(node.text.slice(0, -1));
                    return;
                }
                const marked = /^(?:@|r#)([\p{L}_].*)/u.exec(node.type === 'identifier' ? node.text : '');
                if (marked) {
                    out.push('`' + marked[1]);
                    return;
                }
                // Scala's x_= is taken for x_ and =, Haskell's x# for x and #
                const word = node.text.replace(/^[$?](?=.)|[!@]$|(?<=^\w+_)[^\w']+$|(?<=\w)#+$/g, '');
                if ((named.test(word) && word !== '$') || (julia && node.type === 'identifier')) out.push(word);
                return;
            }
            if (/comment|interpolation_format/.test(node.type)) return;
            // the word before a string is part of it
            if (/^(interpolated_string_expression|prefixed_\w+_literal)$/.test(node.type))
                return node.children.filter(child => child.type !== 'identifier').forEach(visit);
            for (let i = 0; i < node.childCount; i++) visit(node.child(i));
        })(parsed.rootNode);
        parsed.delete();
        return out;
    });
}

// Raw tokens, macros and all; the preprocessor is not run.
function clang(require, language) {
    if (spawnSync('clang', ['--version']).error) throw new Error('no clang here');
    return each(file => {
        const run = spawnSync('clang', ['-cc1', '-x', language, '-std=' + (language === 'c' ? 'gnu2x' : 'gnu++2b'),
                                        '-dump-raw-tokens', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
        const out = [];
        if (run.error || /^unknown '["']/m.test(run.stderr)) return null;
        for (const [, word] of run.stderr.matchAll(/^raw_identifier '([^']*)'/gm)) out.push(word);
        return out;
    });
}

// A language's own parser behind a program of this folder: names.rb, names.pl, names.R.
function program(require, command) {
    const [interpreter, ...words_of] = command.split(' '), script = path.join(here, words_of.pop());
    const run = input => spawnSync(interpreter, [...words_of, script],
                                   { input, encoding: 'utf8', maxBuffer: 1 << 30 });
    const none = run('');
    if (none.error) throw new Error(`no ${interpreter} here`);
    if (none.status !== 0) throw new Error(none.stderr.split('\n')[0]);
    return files => listed(run(files.join('\n') + '\n').stdout);
}

// PostgreSQL's own scanner.  What is psql's is left out: lines that begin with a backslash, rows for COPY.
const copied = /(\bfrom\s+stdin\b[^;]*;.*\n)(?:[^]*?\n)?\\\.$/gim;

async function postgres(require) {
    const { scan, loadModule } = require('libpg-query'), out = new Map();
    await loadModule();
    const scanned = async file => {
        const text = fs.readFileSync(file, 'utf8').replace(copied, '$1').replace(/^\\.*$/mg, '');
        if (text.includes('\uFFFD')) throw new Error('no UTF-8');
        const list = [];
        for (const { tokenName, text: word } of (await scan(text)).tokens)
            if (/SCONST|COMMENT|BCONST|XCONST|PARAM/.test(tokenName)) continue;
            else if (word[0] === '"') list.push('`' + word.slice(1, -1));
            else if (name.test(word)) list.push(word);
        return list;
    };
    return async files => {
        for (const file of files) await scanned(file).then(list => out.set(file, list), () => {});
        return out;
    };
}

// The shell parser of shfmt, whose tree has the places of literal text; names are the words in those that are not in
// quotes, and parameters everywhere.
function shfmt(require, dialect) {
    if (spawnSync('shfmt', ['--version']).error) throw new Error('no shfmt here');
    const parts = /(?<!\w)\d+#\w+|[\w\x80-\xff]+/g;
    return each(file => {
        const bytes = fs.readFileSync(file), text = bytes.toString('latin1'), out = [];
        const run = spawnSync('shfmt', ['-tojson', '-ln', dialect],
                              { input: bytes, encoding: 'utf8', maxBuffer: 1 << 28 });
        if (run.status !== 0) return null;
        const literal = node => {
            const word = text.slice(node.Pos.Offset, node.End.Offset).replace(/\\\n/g, '');
            for (const [part] of word.matchAll(parts))
                if (!/^\d/.test(part)) out.push(Buffer.from(part, 'latin1').toString('utf8'));
        };
        (function visit(node, quoted) {
            if (Array.isArray(node)) return node.forEach(n => visit(n, quoted));
            if (node === null || typeof node !== 'object') return;
            const type = node.Type;
            if (type === 'Lit' || (!type && 'Value' in node && 'ValuePos' in node)) {
                if (!quoted) literal(node);
                return;
            }
            if (type === 'SglQuoted' || type === 'Comment') return;
            if ((type === 'UnaryTest' || type === 'BinaryTest') && node.OpPos) {
                const option = /^-([A-Za-z]\w*)/.exec(text.slice(node.OpPos.Offset, node.OpPos.Offset + 40));
                if (option) out.push(option[1]);
            }
            if (type === 'DblQuoted') return visit(node.Parts, true);
            if ('Param' in node && (type === 'ParamExp' || 'Dollar' in node)) {
                if (node.Param && !/^\d/.test(node.Param.Value)) literal(node.Param);
                visit([node.Index, node.Slice], false);
                visit([node.Repl, node.Exp], true);
                return;
            }
            const code = type === 'CmdSubst' || type === 'ProcSubst' || type === 'ArithmExp';
            for (const [key, value] of Object.entries(node)) {
                if (key === 'Comments' || key === 'Last') continue;
                if (key === 'Word' && node.OpPos && /^<<(?!<)/.test(text.substr(node.OpPos.Offset, 3))) continue;
                visit(value, code ? false : key === 'Hdoc' ? true : quoted);
            }
        })(JSON.parse(run.stdout), false);
        return out;
    });
}

export const parsers = { typescript, tree, clang, program, postgres, shfmt };
