// The table of pipeline/code/category.h: the general category of each character, as the patterns of Hugging Face's
// tokenizers have it (Unicode 16.0 in version 0.23.2).
//
//     npm install --no-save --ignore-scripts tokenizers@0.23.2
//     node scripts/category_table.mjs >pipeline/code/category_table.c
//
// A row is the first character of a run times 32, and the number of its category.
import { createRequire } from 'node:module'
const { Tokenizer } = createRequire(`${process.cwd()}/`)('tokenizers')

const names = 'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn'.split(' ')
const surrogate = c => c >= 0xD800 && c < 0xE000

// What splits off each character of a category, by itself.
const splitter = name => Tokenizer.fromString(JSON.stringify({
    added_tokens: [], normalizer: null, post_processor: null, decoder: null,
    pre_tokenizer: { type: 'Split', pattern: { Regex: `\\p{${name}}` }, behavior: 'Isolated', invert: false },
    model: { type: 'BPE', vocab: {}, merges: [] },
})).getPreTokenizer()

const category = new Uint8Array(0x110000).fill(names.indexOf('Cs'))
for (const [number, name] of names.entries()) {
    const split = splitter(name), between = name === 'Lu' ? '11' : 'AA'
    for (let base = 0; base < 0x110000; base += 0x1000) {
        const characters = Array.from({ length: 0x1000 }, (_, i) => base + i).filter(c => !surrogate(c))
        const text = between + characters.map(c => String.fromCodePoint(c) + between).join('')
        for (const [piece] of split.preTokenizeString(text))
            if (piece.length === 1 || (piece.length === 2 && piece.codePointAt(0) > 0xFFFF))
                category[piece.codePointAt(0)] = number
    }
}

const rows = []
for (let c = 0; c < 0x110000; c++)
    if (c === 0 || category[c] !== category[c - 1]) rows.push(`0x${(c * 32 + category[c]).toString(16).toUpperCase()}`)
const lines = ['   ']
for (const row of rows) {
    if (lines.at(-1).length + row.length + 2 > 120) lines.push('   ')
    lines[lines.length - 1] += ` ${row},`
}
console.log(`/* code/category_table.c -- general categories of characters: made by scripts/category_table.mjs. */
#include "code/category.h"

const uint32_t category_runs[] = {
${lines.join('\n')}
};
const size_t category_runs_count = sizeof category_runs / sizeof *category_runs;`)
