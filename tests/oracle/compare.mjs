// The lexer's names against those of other parsers, over real files: for each language how many files have the same
// multiset of names, and the mean Jaccard of the multisets.
//
//   node compare.mjs MODULES PROGRAM [LANGUAGE...] -- FOLDER...       (scripts/lexer_oracles.sh)
//
// MODULES has node_modules with typescript, web-tree-sitter and tree-sitter-wasms; PROGRAM is identifiers.c's.  Names
// of a parser are the leaves of its tree that look like one, but for those of comments and literals; keywords of the
// lexer's row are left out on both sides.  A file that the parser finds errors in says nothing and is counted apart.
// DETAIL=n shows the n worst files of each language and what differs, SAMPLE=n takes n files of each (default 400).
// Exit status 1 when a language is below its bar.
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const [modules, program, ...rest] = process.argv.slice(2);
const only = rest.slice(0, rest.indexOf('--')), folders = rest.slice(rest.indexOf('--') + 1);
const require = createRequire(path.resolve(modules, 'package.json'));
const sample = Number(process.env.SAMPLE || 400), detail = Number(process.env.DETAIL || 0);
const name = /^[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*$/u;
const words = /[\p{L}_][\p{L}\p{N}_]*/gu;

// row of the lexer, how its names are found, extensions, the parser's word for it
const languages = [
    ['c', 'clang', ['.c', '.h'], 'c'],
    ['cpp', 'clang', ['.cc', '.cpp', '.cxx', '.hpp', '.hh'], 'c++'],
    ['csharp', 'tree', ['.cs'], 'c_sharp'],
    ['go', 'tree', ['.go'], 'go'],
    ['java', 'tree', ['.java'], 'java'],
    ['javascript', 'typescript', ['.js', '.mjs', '.cjs'], 'js'],
    ['javascript', 'typescript', ['.jsx'], 'jsx'],
    ['kotlin', 'tree', ['.kt', '.kts'], 'kotlin'],
    ['php', 'tree', ['.php'], 'php'],
    ['python', 'tree', ['.py'], 'python'],
    ['rust', 'tree', ['.rs'], 'rust'],
    ['scala', 'tree', ['.scala'], 'scala'],
    ['swift', 'tree', ['.swift'], 'swift'],
    ['typescript', 'typescript', ['.ts', '.mts', '.cts'], 'ts'],
    ['typescript', 'typescript', ['.tsx'], 'tsx'],
];

function* walk(folder) {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const at = path.join(folder, entry.name);
        if (entry.isDirectory()) yield* walk(at);
        else if (entry.isFile()) yield at;
    }
}

// Every k-th file of those with one of the extensions, in the order of their paths.
function filesOf(all, extensions) {
    const files = all.filter(f => extensions.some(e => f.endsWith(e)) && !/\.(d\.[mc]?ts|min\.js)$/.test(f) &&
                                  fs.statSync(f).size < 200000).sort();
    const step = Math.max(1, files.length / sample);
    return Array.from({ length: Math.min(files.length, sample) }, (_, i) => files[Math.floor(i * step)]);
}

// ---- the parsers: a function from a path to its names, or null when the parser finds errors ----

function typescript(kind) {
    const ts = require('typescript');
    return file => {
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
    };
}

const hidden = new RegExp('comment|string_content|string_fragment|string_literal_content|raw_string|heredoc_body|' +
    'character|escape|^text$|multi_line_str_text|line_str_text|string_start|string_end|' +
    'regex|type_conversion|heredoc_start|heredoc_end|' +
    'string_value|nowdoc|interpolation_format|encapsed_text|integer|float|number|' +
    'long_literal|unsigned_literal|format_spec|interpolated_string_text|interpolated_verbatim_string_text|' +
    'interpolated_raw_string_text|literal_content', 'i');

const literal = /^(long_literal|unsigned_literal|type_conversion|format_specifier)$/;

async function tree(grammar) {
    const { Parser, Language } = require('web-tree-sitter');
    await Parser.init();
    const parser = new Parser(), wasm = require.resolve(`tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`);
    parser.setLanguage(await Language.load(wasm));
    const text_directive = grammar === 'c_sharp' ? /^\s*#?\s*(region|end|error|warning)/ : /^#![ ]*\//;
    return file => {
        const source = fs.readFileSync(file, 'utf8');
        const parsed = parser.parse(grammar === 'c_sharp' ? source.replace(/^\uFEFF/, '') : source);
        const out = [];
        if (parsed.rootNode.hasError) return parsed.delete(), null;
        (function visit(node) {
            if (node.childCount === 0) {
                if (hidden.test(node.type) || literal.test(node.parent?.type)) return;
                if (/^(end)?region_directive|^(error|warning)_directive/.test(node.parent?.type)) return;
                // one leaf, whatever is in it: Swift's and C#'s directives, Rust's first attribute
                if (/^\s*[#@]|directive|shebang/.test(node.type)) {
                    if (text_directive.test(node.text)) return;
                    out.push(...(node.text.replace(/\/\/.*|"[^"]*"/g, '').match(words) || []));
                    return;
                }
                if (node.text.startsWith('`')) {
                    out.push(node.text.slice(1, -1));
                    return;
                }
                const word = node.text.replace(/^\$(?=.)|[!@]$/g, '');
                if (name.test(word) && word !== '$') out.push(word);
                return;
            }
            if (/comment|interpolation_format/.test(node.type)) return;
            for (let i = 0; i < node.childCount; i++) visit(node.child(i));
        })(parsed.rootNode);
        parsed.delete();
        return out;
    };
}

// Raw tokens, macros and all; the preprocessor is not run.
function clang(language) {
    return file => {
        const run = spawnSync('clang', ['-cc1', '-x', language, '-std=' + (language === 'c' ? 'gnu2x' : 'gnu++2b'),
                                        '-dump-raw-tokens', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
        const out = [];
        if (run.error || /^unknown '["']/m.test(run.stderr)) return null;
        for (const [, word] of run.stderr.matchAll(/^raw_identifier '([^']*)'/gm)) out.push(word);
        return out;
    };
}

const parsers = { typescript, tree, clang };

// ---- comparing ----

const count = list => list.reduce((m, w) => m.set(w, (m.get(w) || 0) + 1), new Map());

function jaccard(a, b) {
    let shared = 0, all = 0;
    for (const w of new Set([...a.keys(), ...b.keys()])) {
        shared += Math.min(a.get(w) || 0, b.get(w) || 0);
        all += Math.max(a.get(w) || 0, b.get(w) || 0);
    }
    return all ? shared / all : 1;
}

function ours(language, files) {
    const run = spawnSync(program, [language], { input: files.join('\n') + '\n', encoding: 'utf8',
                                                 maxBuffer: 1 << 30 });
    if (run.status !== 0) throw new Error(run.stderr);
    const out = new Map();
    let list;
    for (const line of run.stdout.split('\n'))
        if (line.startsWith('= ')) out.set(line.slice(2), list = []);
        else if (line) list.push(line);
    return out;
}

const all = folders.flatMap(f => fs.existsSync(f) ? [...walk(f)] : []);
let failed = false;
console.log('| language | files | with errors | identical | mean Jaccard | worst |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [language, kind, extensions, argument] of languages) {
    const label = extensions[0] === '.jsx' ? 'JSX' : extensions[0] === '.tsx' ? 'TSX' : language;
    if (only.length && !only.includes(label)) continue;
    const files = filesOf(all, extensions);
    if (!files.length) { console.log(`| ${label} | skipped: no files here | | | | |`); continue; }
    let parser;
    try {
        if (kind === 'clang' && spawnSync('clang', ['--version']).error) throw new Error('no clang here');
        parser = await parsers[kind](argument);
    } catch (error) { console.log(`| ${label} | skipped: ${error.message.split('\n')[0]} | | | | |`); continue; }
    const keywords = new Set(spawnSync(program, ['-k', language], { encoding: 'utf8' }).stdout.split('\n'));
    const found = ours(language, files), rows = [];
    let errors = 0;
    for (const file of files) {
        const theirs = parser(file);
        if (!theirs) { errors++; continue; }
        const a = count(found.get(file)), b = count(theirs.filter(w => !keywords.has(w)));
        rows.push({ file, j: jaccard(a, b), a, b });
    }
    rows.sort((x, y) => x.j - y.j);
    const equal = rows.filter(r => r.j === 1).length, mean = rows.reduce((s, r) => s + r.j, 0) / rows.length;
    console.log(`| ${label} | ${rows.length} | ${errors} | ${(100 * equal / rows.length).toFixed(1)} % | ` +
                `${mean.toFixed(4)} | ${rows[0]?.j.toFixed(3)} |`);
    for (const r of rows.filter(r => r.j < 1).slice(0, detail)) {
        const less = [], more = [];
        for (const w of new Set([...r.a.keys(), ...r.b.keys()])) {
            const d = (r.a.get(w) || 0) - (r.b.get(w) || 0);
            if (d > 0) more.push(w + (d > 1 ? '*' + d : ''));
            if (d < 0) less.push(w + (d < -1 ? '*' + -d : ''));
        }
        console.log(`    ${r.j.toFixed(3)} ${r.file}\n      only ours:   ${more.slice(0, 12).join(' ')}\n` +
                    `      only theirs: ${less.slice(0, 12).join(' ')}`);
    }
    failed ||= equal < 0.99 * rows.length || mean < 0.999 || rows[0]?.j < 0.9;
}
process.exit(failed ? 1 : 0);
