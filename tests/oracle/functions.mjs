// The functions that `leakgraph extract` finds against those of other parsers, over real files: for each
// language how many functions the parser has, the share of them that extract has with the same name, first line and
// last line, and how many extract has besides.  Then the same of `extract --functions exact`, by name, first byte and
// last byte, where the program has parsers: how many functions it has, the share that extract without it has too, and
// what that has besides.
//
//   node functions.mjs MODULES LEAKGRAPH [LANGUAGE...] -- FOLDER...       (scripts/function_oracles.sh)
//
// MODULES has node_modules with the packages of package.json's `oracles`.  A file that the parser finds errors in says
// nothing and is left out.  DETAIL=n shows n functions of each language that differ, SAMPLE=n takes n files of each.
// SPEED=1 shows instead how many megabytes of a sample both ways to tell functions read in a second of the processor,
// all of extract and its output with them.
// Exit status 1 when a language is below 95 % (Python and Java: 97 %) by either; fewer than 200 functions are shown and
// not judged.
import { filesUnder, sampleOf } from './files.mjs';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, program, ...rest] = process.argv.slice(2);
const only = rest.slice(0, rest.indexOf('--')), folders = rest.slice(rest.indexOf('--') + 1);
const require = createRequire(path.resolve(modules, 'package.json'));
const detail = Number(process.env.DETAIL || 0);

const entry = (name, first, last) => `${name} ${first}-${last}`;
const field = name => node => node.childForFieldName(name);
const named = field('name');
const child = (node, ...types) => node.namedChildren.find(n => types.includes(n.type));

// The innermost declarator: the name of a C or C++ function, without what qualifies it.
function declarator(node) {
    let at = field('declarator')(node);
    while (at && !/^(identifier|field_identifier|destructor_name|operator_name|operator_cast)$/.test(at.type))
        at = at.type === 'qualified_identifier' || at.type === 'template_function' ? named(at)
            : field('declarator')(at) ?? at.namedChildren.at(-1);
    return at;
}

// The name of a JavaScript function, and the node that its text is of: one without a name has that it is bound to.
function script(node) {
    const own = named(node);
    if (!field('body')(node) || field('body')(node).type !== 'statement_block') return null;
    if (own) return /identifier/.test(own.type) && [own, node];
    let up = node.parent, left;
    if (up?.type === 'variable_declarator' || /^(public_)?field_definition$/.test(up?.type))
        left = named(up) ?? field('property')(up);
    else if (up?.type === 'assignment_expression') left = field('left')(up);
    else if (up?.type === 'pair') left = field('key')(up);
    if (left?.type === 'member_expression') left = field('property')(left);
    if (up?.type === 'variable_declarator' && up.parent.namedChildren[0]?.equals(up)) up = up.parent;
    return left && /identifier/.test(left.type) && [left, up, node];
}

const body = node => field('body')(node);
const plain = node => body(node) && named(node) && [named(node), node];
const scripts = {
    function_declaration: script, generator_function_declaration: script, function_expression: script, function: script,
    generator_function: script, arrow_function: script, method_definition: script,
};

// The parser of shfmt.
function shell(files) {
    if (spawnSync('shfmt', ['--version']).error) throw new Error('no shfmt here');
    const out = new Map();
    for (const file of files) {
        const run = spawnSync('shfmt', ['-tojson', '-ln', 'bash'],
                              { input: fs.readFileSync(file), encoding: 'utf8', maxBuffer: 1 << 28 });
        if (run.status !== 0) continue;
        const list = [];
        (function visit(node) {
            if (node === null || typeof node !== 'object') return;
            if (node.Type === 'FuncDecl' && node.Body.Cmd.Type === 'Block')
                list.push(entry(node.Name.Value, node.Pos.Line, node.Body.Cmd.End.Line));
            Object.values(node).forEach(visit);
        })(JSON.parse(run.stdout));
        out.set(file, list);
    }
    return out;
}

// PPI, behind functions.pl, which prints "= PATH" and then a function a line.
function perl(files) {
    const script = path.join(path.dirname(fileURLToPath(import.meta.url)), 'functions.pl'), out = new Map();
    const run = spawnSync('perl', [script], { input: files.join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 28 });
    if (run.status !== 0) throw new Error(run.stderr?.split('\n')[0] || 'no perl here');
    let list;
    for (const line of run.stdout.split('\n'))
        if (line.startsWith('= ')) out.set(line.slice(2), list = []);
        else if (line) list.push(line);
    return out;
}

// Row, grammar, extensions, and for each type of node what names it; or a parser of its own.
const languages = [
    ['go', 'go', ['.go'], { function_declaration: plain, method_declaration: plain }],
    ['rust', 'rust', ['.rs'], { function_item: plain }],
    ['javascript', 'javascript', ['.js', '.mjs', '.cjs'], scripts],
    ['typescript', 'typescript', ['.ts', '.mts', '.cts'], scripts],
    ['c', 'c', ['.c', '.h'], { function_definition: node => declarator(node) && [declarator(node), node] }],
    ['csharp', 'c_sharp', ['.cs'], { method_declaration: plain, constructor_declaration: plain,
        local_function_statement: plain, operator_declaration: node => body(node) && [child(node, 'x'), node] }],
    ['php', 'php', ['.php'], { function_definition: plain, method_declaration: plain }],
    ['kotlin', 'kotlin', ['.kt', '.kts'], { function_declaration: node => child(node, 'function_body') &&
        [child(node, 'simple_identifier'), node] }],
    ['python', 'none', ['.py'], null],                      // CPython itself: tests/unit; here `exact` alone
    ['java', 'java', ['.java'], { method_declaration: plain, constructor_declaration: plain }],
    ['cpp', 'cpp', ['.cc', '.cpp', '.cxx', '.hpp', '.hh'], { function_definition: node => body(node) &&
        declarator(node) && [declarator(node), node] }],
    ['swift', 'swift', ['.swift'], { function_declaration: plain,
        init_declaration: node => body(node) && [{ text: 'init' }, node],
        deinit_declaration: node => body(node) && [{ text: 'deinit' }, node] }],
    ['scala', 'tree-sitter-scala/tree-sitter-scala.wasm', ['.scala'], { function_definition: plain }],
    ['shell', 'shfmt', ['.sh'], shell],
    ['perl', 'PPI', ['.pm', '.pl', '.t'], perl],
    ['ruby', 'ruby', ['.rb'], { method: node => named(node) && [named(node), node],
        singleton_method: node => named(node) && [named(node), node] }],
    ['lua', '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm', ['.lua'], {
        function_declaration: node => [child(named(node), 'identifier') && named(node).namedChildren.at(-1) ||
                                       named(node), node],
        function_definition: node => {
            if (node.parent.type === 'field')
                return named(node.parent)?.type === 'identifier' && [named(node.parent), node.parent];
            const list = node.parent, left = list?.parent?.namedChildren[0], at = left?.namedChildren[0];
            if (list?.type !== 'expression_list' || list.namedChildren.length !== 1) return null;
            return at && [at.type === 'identifier' ? at : at.namedChildren.at(-1),
                          /variable_decl/.test(list.parent.parent?.type) ? list.parent.parent : list.parent];
        } }],
    ['julia', 'tree-sitter-julia/tree-sitter-julia.wasm', ['.jl'], { function_definition: node => {
        let at = node.namedChildren[0];
        while (at && at.type !== 'identifier' && at.type !== 'operator')
            at = at.type === 'field_expression' ? at.namedChildren.at(-1) : at.namedChildren[0];
        return at && [at, node];
    } }],
];

async function theirs(grammar, types, files) {
    const { Parser, Language } = require('web-tree-sitter');
    await Parser.init();
    const parser = new Parser();
    parser.setLanguage(await Language.load(require.resolve(grammar.endsWith('.wasm') ? grammar :
        `tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`)));
    const out = new Map();
    for (const file of files) {
        const parsed = parser.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '')), list = [];
        if (!parsed.rootNode.hasError) {
            for (const node of parsed.rootNode.descendantsOfType(Object.keys(types))) {
                if (!node.isNamed) continue;
                const [name, at, end] = types[node.type](node) || [];
                if (!name) continue;
                const whole = end ?? at;                    // may end with white space
                list.push(entry(name.text.replace(/\s|^[#`]|`$/g, ''), at.startPosition.row + 1,
                                whole.startPosition.row + whole.text.trimEnd().split('\n').length));
            }
            out.set(file, list);
        }
        parsed.delete();
    }
    return out;
}

// What extract finds in each file, as `form` writes a row; `exact`: asked so, files that it parses without errors.
function ours(language, files, form, exact) {
    const out = new Map();
    for (const file of files) {
        const run = spawnSync(program, ['extract', '--language', language, ...(exact ? ['--functions', 'exact'] : []),
                                        file], { encoding: 'utf8', maxBuffer: 1 << 30 });
        if (exact && !/exact: 1 files parsed, 0 of them with errors/.test(run.stderr)) continue;
        const rows = run.status === 0 ? run.stdout.split('\n').filter(line => line).map(JSON.parse) : [];
        out.set(file, rows.map(form));
    }
    return out;
}
const byLines = row => entry(row.name.replace(/\s|^`|`$/g, ''), row.line, row.line_end);
const byBytes = row => `${entry(row.name, row.byte, row.byte_end)} (${row.line})`;

// How many functions of `wanted` are in `found`, and what is only in one of the two.
function compare(wanted, found) {
    const less = [], more = [];
    let same = 0, count = 0;
    for (const [file, list] of wanted) {
        const left = [...found.get(file)];
        for (const want of list) {
            const at = left.indexOf(want);
            count++;
            if (at < 0) less.push(`${file}: ${want}`);
            else { same++; left.splice(at, 1); }
        }
        more.push(...left.map(have => `${file}: ${have}`));
    }
    return { count, same, less, more };
}

const percent = (same, count) => count ? (100 * same / count).toFixed(1) + ' %' : '';

// MB of the files for a second of the processor, the best of three runs over all of them.
function speed(language, files, how) {
    let best = Infinity;
    for (let i = 0; i < 3; i++) {
        const run = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1', 'bash', program,
                                       'extract', '--quiet', '--language', language, '--functions', how, ...files],
                              { encoding: 'utf8' });
        best = Math.min(best, run.stderr.split(' ').reduce((sum, seconds) => sum + Number(seconds), 0));
    }
    return (files.reduce((sum, file) => sum + fs.statSync(file).size, 0) / 1e6 / best).toFixed(1);
}

const all = filesUnder(folders);
const parsers = spawnSync(program, ['extract', '--functions', 'exact', '--languages'], { encoding: 'utf8' });
const parsed = parsers.status === 0 ? parsers.stdout.split('\n') : [];
let failed = false;
if (process.env.SPEED) {
    console.log('# Functions by tokens and by parsers: megabytes a second\n\n`leakgraph extract`, in time of the ' +
                'processor, reading, measures and output with it: `SPEED=1 scripts/function_oracles.sh`.\n');
    console.log('| language | files | MB | fast, MB/s | exact, MB/s |\n| --- | --- | --- | --- | --- |');
    for (const [language, , extensions] of languages) {
        const files = parsed.includes(language) ? sampleOf(all, extensions) : [];
        if (!files.length || (only.length && !only.includes(language))) continue;
        const size = files.reduce((sum, file) => sum + fs.statSync(file).size, 0) / 1e6;
        console.log(`| ${language} | ${files.length} | ${size.toFixed(1)} | ${speed(language, files, 'fast')} | ` +
                    `${speed(language, files, 'exact')} |`);
    }
    process.exit(0);
}
console.log('| language | files | functions | the same | besides | exact | the same | besides |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
const spread = list => list.filter((_, i) => i % Math.max(1, Math.floor(list.length / detail)) === 0).slice(0, detail);
function show(told, name) {
    if (detail) for (const line of spread(told.less)) console.log(`    only ${name}: ${line}`);
    if (detail) for (const line of spread(told.more)) console.log('    only fast: ' + line);
}
for (const [language, grammar, extensions, types] of languages) {
    if (only.length && !only.includes(language)) continue;
    const files = sampleOf(all, extensions);
    if (!files.length) { console.log(`| ${language} | skipped: no files here | | | | | | |`); continue; }
    let parser = new Map(), why = '', exact = new Map();
    try {
        if (types) parser = typeof types === 'function' ? types(files) : await theirs(grammar, types, files);
    } catch (error) { why = 'skipped: ' + error.message.split('\n')[0]; }
    if (parsed.includes(language)) exact = ours(language, files, byBytes, true);
    const told = compare(parser, ours(language, [...parser.keys()], byLines)),
        tree = compare(exact, ours(language, [...exact.keys()], byBytes));
    const other = types ? `${why || parser.size} | ${told.count} | ${percent(told.same, told.count)} | ` +
        told.more.length : `${exact.size} | | |`;
    console.log(`| ${language} | ${other} | ` + (exact.size ? `${tree.count} | ${percent(tree.same, tree.count)} | ` +
                `${tree.more.length} |` : '| | |'));
    show(told, 'theirs');
    show(tree, 'exact');
    const least = language === 'python' || language === 'java' ? 0.97 : 0.95;
    for (const { count, same } of [told, tree]) failed ||= count >= 200 && same < least * count;
}
process.exit(failed ? 1 : 0);
