// The table of pipeline/code/compose.h: canonical decompositions and orders of combining characters, as Hugging Face's
// tokenizers have them.
//
//     npm install --no-save --ignore-scripts tokenizers@0.23.2
//     node scripts/compose_table.mjs >pipeline/code/compose_table.c
//
// Decompositions are asked of its normalizers one by one.  A combining class is known by what it goes behind: of each
// there is one character here, in the order of the classes.
import { createRequire } from 'node:module'
const { nfcNormalizer, nfdNormalizer } = createRequire(`${process.cwd()}/`)('tokenizers')

const by = normalizer => text => normalizer.normalizeString(text)
const compose = by(nfcNormalizer()), decompose = by(nfdNormalizer())
const known = [
    0x334, 0x16FF0, 0x93C, 0x3099, 0x94D, 0x5B0, 0x5B1, 0x5B2, 0x5B3, 0x5B4, 0x5B5, 0x5B6, 0x5B7, 0x5B8, 0x5B9,
    0x5BB, 0x5BC, 0x5BD, 0x5BF, 0x5C1, 0x5C2, 0xFB1E, 0x64B, 0x64C, 0x64D, 0x618, 0x619, 0x61A, 0x651, 0x652, 0x670,
    0x711, 0xC55, 0xC56, 0xE38, 0xE48, 0xEB8, 0xEC8, 0xF71, 0xF72, 0xF74, 0x321, 0x1DCE, 0x31B, 0x1DFA, 0x316,
    0x59A, 0x302E, 0x1D16D, 0x5AE, 0x300, 0x315, 0x35C, 0x35D, 0x345,
].map(c => String.fromCodePoint(c))

const characters = function* () {
    for (let c = 0; c < 0x110000; c++) if (!(c >= 0xD800 && c < 0xE000)) yield c
}
const isSyllable = c => c >= 0xAC00 && c <= 0xD7A3

const whole = new Map()                                     // characters by what they are taken apart to
for (const c of characters()) whole.set(decompose(String.fromCodePoint(c)), String.fromCodePoint(c))

const splits = [], classes = []
for (const c of characters()) {
    const text = String.fromCodePoint(c), apart = [...decompose(text)]
    if (apart.length === 1 && apart[0] === text) continue
    if (isSyllable(c)) continue
    // The first of two may be a composition itself.
    const last = apart.length > 1 ? apart.at(-1) : '', before = last ? apart.slice(0, -1).join('') : apart[0]
    const first = [...compose(before)].length === 1 ? compose(before) : whole.get(before)
    if (!first) throw new Error(`U+${c.toString(16)} is not made of two`)
    splits.push({ c, first: first.codePointAt(0), last: last ? last.codePointAt(0) : 0, joins: compose(text) === text })
}
const behind = text => {
    const others = known.filter(other => other !== text)
    const before = others.filter(other => decompose(text + other) === other + text).length
    const combines = before || others.some(other => decompose(other + text) === text + other)
    return combines ? before + 1 : 0
}
let was = 0
for (const c of characters()) {
    const text = String.fromCodePoint(c)
    const place = /^\p{M}$/u.test(text) && decompose(text) === text ? behind(text) : 0
    if (place !== was || c === 0) classes.push(c * 64 + place)
    was = place
}

const hex = number => `0x${number.toString(16).toUpperCase()}`
const rows = numbers => {
    const lines = ['   ']
    for (const number of numbers) {
        if (lines.at(-1).length + number.length + 2 > 120) lines.push('   ')
        lines[lines.length - 1] += ` ${number},`
    }
    return lines.join('\n')
}
const pairs = splits.flatMap(({ joins }, i) => joins ? [i] : [])
    .sort((a, b) => splits[a].first - splits[b].first || splits[a].last - splits[b].last)
console.log(`/* code/compose_table.c -- canonical decompositions: made by scripts/compose_table.mjs. */
#include "code/compose.h"

const uint32_t compose_splits[] = {
${rows(splits.map(({ c, first, last }) => [c, first, last].map(hex).join(', ')))}
};
const size_t compose_splits_count = sizeof compose_splits / sizeof *compose_splits / 3;

const uint16_t compose_pairs[] = {
${rows(pairs.map(String))}
};
const size_t compose_pairs_count = sizeof compose_pairs / sizeof *compose_pairs;

const uint32_t compose_classes[] = {
${rows(classes.map(hex))}
};
const size_t compose_classes_count = sizeof compose_classes / sizeof *compose_classes;`)
