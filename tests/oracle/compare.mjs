// The lexer's names against those of other parsers, over real files: for each language how many files have the same
// multiset of names, and the mean Jaccard of the multisets.
//
//   node compare.mjs MODULES PROGRAM [LANGUAGE...] -- FOLDER...       (scripts/lexer_oracles.sh)
//
// MODULES has node_modules with the packages of package.json's `oracles`; PROGRAM is identifiers.c's.  Names of a
// parser are the leaves of its tree that look like one, but for those of comments and literals; keywords of the lexer's
// row are left out on both sides.  A file that the parser finds errors in says nothing and is counted apart.
// DETAIL=n shows the n worst files of each language and what differs, SAMPLE=n takes n files of each (default 400).
// Exit status 1 when a language is below its bar; fewer than 50 files are shown and not judged.
import { filesUnder, sampleOf } from './files.mjs';
import { listed, parsers } from './parsers.mjs';
import { createRequire } from 'node:module';
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const [modules, program, ...rest] = process.argv.slice(2);
const only = rest.slice(0, rest.indexOf('--')), folders = rest.slice(rest.indexOf('--') + 1);
const require = createRequire(path.resolve(modules, 'package.json'));
const detail = Number(process.env.DETAIL || 0);

// row of the lexer, how its names are found, extensions, the parser's word for it
const languages = [
    ['c', 'clang', ['.c', '.h'], 'c'],
    ['cpp', 'clang', ['.cc', '.cpp', '.cxx', '.hpp', '.hh'], 'c++'],
    ['csharp', 'tree', ['.cs'], 'c_sharp'],
    ['go', 'tree', ['.go'], 'go'],
    ['haskell', 'tree', ['.hs'], 'tree-sitter-haskell/tree-sitter-haskell.wasm'],
    ['java', 'tree', ['.java'], 'java'],
    ['javascript', 'typescript', ['.js', '.mjs', '.cjs'], 'js'],
    ['javascript', 'typescript', ['.jsx'], 'jsx'],
    ['julia', 'tree', ['.jl'], 'tree-sitter-julia/tree-sitter-julia.wasm'],
    ['kotlin', 'tree', ['.kt', '.kts'], 'kotlin'],
    ['lua', 'tree', ['.lua'], '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm'],
    ['perl', 'program', ['.pm', '.pl', '.t'], 'perl names.pl'],
    ['php', 'tree', ['.php'], 'php'],
    ['python', 'tree', ['.py'], 'python'],
    ['r', 'program', ['.R'], 'Rscript --vanilla names.R'],
    ['ruby', 'program', ['.rb'], 'ruby names.rb'],
    ['rust', 'tree', ['.rs'], 'rust'],
    ['scala', 'tree', ['.scala'], 'tree-sitter-scala/tree-sitter-scala.wasm'],
    ['shell', 'shfmt', ['.sh'], 'bash'],
    ['sql', 'postgres', ['.sql'], ''],
    ['swift', 'tree', ['.swift'], 'swift'],
    ['typescript', 'typescript', ['.ts', '.mts', '.cts'], 'ts'],
    ['typescript', 'typescript', ['.tsx'], 'tsx'],
];

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
    return listed(run.stdout);
}

const all = filesUnder(folders);
let failed = false;
console.log('| language | files | with errors | identical | mean Jaccard | worst |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [language, kind, extensions, argument] of languages) {
    const label = extensions[0] === '.jsx' ? 'JSX' : extensions[0] === '.tsx' ? 'TSX' : language;
    if (only.length && !only.includes(label)) continue;
    const files = sampleOf(all, extensions);
    if (!files.length) { console.log(`| ${label} | skipped: no files here | | | | |`); continue; }
    let parser;
    try {
        parser = await parsers[kind](require, argument);
    } catch (error) { console.log(`| ${label} | skipped: ${error.message.split('\n')[0]} | | | | |`); continue; }
    const keywords = new Set(spawnSync(program, ['-k', language], { encoding: 'utf8' }).stdout.split('\n'));
    const found = ours(language, files), rows = [];
    for (const [file, theirs] of await parser(files)) {
        const a = count(found.get(file)), b = count(theirs.filter(w => !keywords.has(w)).map(w => w.replace(/^`/, '')));
        rows.push({ file, j: jaccard(a, b), a, b });
    }
    const errors = files.length - rows.length;
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
    failed ||= rows.length >= 50 && (equal < 0.99 * rows.length || mean < 0.999 || rows[0].j < 0.9);
}
process.exit(failed ? 1 : 0);
