// Writes golden.json beside this file, which tests/unit/model/tokenizer.c compares with: a small BPE, learnt here, in
// the forms that published models' tokenizer.json have, and the ids that Hugging Face's tokenizers give for hard texts.
//
//     npm install --no-save --ignore-scripts tokenizers@0.23.2 && node tests/golden/tokenizer/make.mjs
//
// The result is committed, so the test needs neither.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
const { Tokenizer } = createRequire(`${process.cwd()}/`)('tokenizers')

const folder = new URL('.', import.meta.url)
const MERGES = 420

// ---- texts ----

const texts = [
    '', ' ', '  ', '\n', '\t', 'a', 'def top(values):\n    """Doc."""\n    return values[0]\n',
    "I'm sure we've said it's THEY'RE he'd they'll can't 'S 'quoted' don’t l'd'un",
    'x = 1234567 + 12.5e-10 # 3rd of 100000\n\ty1 = 0xFF_FF\n', '007 1 22 333 4444 55555', '٣٤٥ ²³½ Ⅷ 四五',
    'for  i   in    range(10):\n\n\n        pass   \n   \n', 'trailing spaces   ', '   leading', ' \t \n \r\n\r\n x\r\ry',
    'a\u00a0b\u2003c\u3000d\u0085e\u2028f\ufeffg\u200bh\u180ei\u001cj\u001fk\u000bl\u000cm',
    '日本語のテキスト、とコード。中文字符 한국어 текст Ελληνικά', 'naïve café e\u0301 A\u030a \u212b \u1e69 s\u0323\u0307 한 가',
    '😀👩‍👩‍👧 🏳️‍🌈 ✓→∀x∈ℝ', 'HTMLParser parseHTML camelCaseName SNAKE_CASE ǅabc ʰa', '!!!???...---===>>><<<{}[]()/*+*/', '@decorator $var %s \\n `code` ~x ^y |z',
    '<|endoftext|>', 'a<|endoftext|>b <fim_prefix>x<fim_suffix> y <fim_middle>', '<|endoftext|', 'x <sep>  y\n<sep>\u2003<sep>z',
    '<sep><sep> <left> <right> \n', 'HELLO_ADDED and HELLO_ADDED_TWICE in HELLO', '    \n  <left>\tx<left>', 'e\u0301x<néw>y<ne\u0301w>',
    'a\u0001b\u007fc', 'if (a && b) || !c { return a?.b ?? c; } // done', 'https://example.org/a/b?c=d#e', 'ſhip ITſ it\'ſ', "we'Ve IT'LL",
    'ß ŉ ﬁ Ǆ', 'a' .repeat(100), 'ab'.repeat(70) + ' ' + ' '.repeat(90) + '\n'.repeat(40), '=' .repeat(120), 'नमस्ते दुनिया สวัสดี', '\u0378\u{e000}\u{10ffff}\u{1f1e9}\u{1f1ea}',
    'a\nb\n\nc\n\n\nd', 'x  \n  y', '\n  x', '1\n2', ' 1 a1 1a', '.a/b(c', ' .a', '\n/\n//', 'i.e.  e.g.',
]

// ---- a model ----

const printable = b => (b >= 33 && b <= 126) || (b >= 161 && b !== 173)
let other = 256
const alphabet = Array.from({ length: 256 }, (_, b) => String.fromCharCode(printable(b) ? b : other++))
const spelt = text => [...new TextEncoder().encode(text)].map(b => alphabet[b])

// Words here are longer than any pattern's, so that it shows where a pattern cuts.
function learn() {
    const code = ['leak_data.py', 'demo_score.py', 'learn_oracles.sh'].map(name => readFileSync(new URL(`../../../scripts/${name}`, folder), 'utf8'))
    const words = [...code, ...texts, ...texts, ...texts].flatMap(text => text.match(/\s*\S{1,12}\s?/gu) ?? [text]).map(spelt)
    const merges = [], vocab = Object.fromEntries(alphabet.map((c, i) => [c, i]))
    while (merges.length < MERGES) {
        const counts = new Map()
        for (const word of words)
            for (let i = 0; i + 1 < word.length; i++) counts.set(`${word[i]} ${word[i + 1]}`, (counts.get(`${word[i]} ${word[i + 1]}`) ?? 0) + 1)
        const [best] = [...counts].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a))
        const [left, right] = best.split(' ')
        merges.push(best)
        vocab[left + right] ??= Object.keys(vocab).length
        for (const word of words)
            for (let i = 0; i + 1 < word.length; i++)
                if (word[i] === left && word[i + 1] === right) word.splice(i, 2, left + right)
    }
    return { vocab, merges }
}
const { vocab, merges } = learn()

const bpe = { dropout: null, unk_token: null, continuing_subword_prefix: null, end_of_word_suffix: null, fuse_unk: false, byte_fallback: false }
// Words that are tokens, but are put together otherwise.
const whole = { ...vocab, Ġreturn: 1000, values: 1001, 'é': 1002, 'Ã©': 1003, def: 1004 }
const models = {
    lines: { type: 'BPE', ...bpe, vocab, merges },
    untyped: { ...bpe, continuing_subword_prefix: '', end_of_word_suffix: '', vocab, merges: ['#version: 0.2', ...merges] },
    pairs: { type: 'BPE', ...bpe, ignore_merges: true, vocab: whole, merges: merges.map(merge => merge.split(' ')) },
    twice: { type: 'BPE', ...bpe, vocab, merges: [...merges, ...merges.slice(0, 40).reverse()] },
}

// ---- forms ----

const level = (use_regex, add_prefix_space = false) => ({ type: 'ByteLevel', add_prefix_space, trim_offsets: true, use_regex })
const split = (Regex, behavior = 'Isolated', invert = false) => ({ type: 'Split', pattern: { Regex }, behavior, invert })
const sequence = (...pretokenizers) => ({ type: 'Sequence', pretokenizers })
const digits = individual_digits => ({ type: 'Digits', individual_digits })
const llama3 = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
const qwen2 = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
const gpt4 = "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+".replace('(?i:[sdmt]|ll|ve|re)', '(?i:s|d|m|t|ll|ve|re)')
const upper = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]', lower = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]', said = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
const gpt4o = `[^\\r\\n\\p{L}\\p{N}]?${upper}*${lower}+${said}|[^\\r\\n\\p{L}\\p{N}]?${upper}+${lower}*${said}|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`
const deepseek3 = '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+'

const added = (content, more = {}) => ({ content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true, ...more })
const fim = ['<|endoftext|>', '<fim_prefix>', '<fim_suffix>', '<fim_middle>'].map(content => added(content))
const some = [...fim, added('<sep>', { lstrip: true, rstrip: true }), added('<left>', { lstrip: true }), added('<right>', { rstrip: true }),
    added('HELLO_ADDED', { normalized: true, special: false }), added('HELLO_ADDED_TWICE', { normalized: true, special: false }),
    added('<néw>', { normalized: true, special: false }), added('def', { special: false }), added('\n\n', { normalized: true, special: false })]

const forms = {
    starcoder: { model: 'lines', pre_tokenizer: sequence(digits(true), level(true)), added_tokens: fim },
    starcoder_added: { model: 'twice', pre_tokenizer: sequence(digits(true), level(true)), added_tokens: some },
    gpt2: { model: 'untyped', pre_tokenizer: level(true) },
    spaced: { model: 'lines', pre_tokenizer: sequence(digits(false), level(true, true)), added_tokens: some },
    bytes: { model: 'lines', pre_tokenizer: level(false, true) },
    llama3: { model: 'pairs', pre_tokenizer: sequence(split(llama3), level(false)), added_tokens: some },
    qwen2: { model: 'pairs', normalizer: { type: 'NFC' }, pre_tokenizer: sequence(split(qwen2), level(false)), added_tokens: some },
    gpt4: { model: 'lines', pre_tokenizer: sequence(split(gpt4, 'Removed', true), level(false)) },
    gpt4o: { model: 'lines', pre_tokenizer: sequence(split(gpt4o, 'Removed', true), level(false)), added_tokens: fim },
    deepseek_coder: { model: 'lines', normalizer: { type: 'Sequence', normalizers: [] }, pre_tokenizer: sequence(split('[\\r\\n]'), split('\\s?\\p{L}+'), split('\\s?\\p{P}+'),
        split('[一-龥ࠀ-一가-퟿]+'), digits(true), level(false)) },
    deepseek3: { model: 'lines', pre_tokenizer: sequence(split('\\p{N}{1,3}'), split('[一-龥぀-ゟ゠-ヿ]+'), split(deepseek3), level(false)), added_tokens: some },
    removed: { model: 'lines', pre_tokenizer: sequence(split('[0-9a]+', 'Removed'), split('\\s|x*', 'Contiguous'), { type: 'Split', pattern: { String: '.' }, behavior: 'Isolated', invert: true }, level(true)) },
    kept: { model: 'lines', pre_tokenizer: sequence(split('\\S{2,3}(?=\\d)|(?:ab|a)?(?:b|[^\\P{L}e-z])', 'Contiguous', true), level(false)) },
}

const ids = {}
for (const [name, form] of Object.entries(forms)) {
    const known = models[form.model].vocab                  // the library numbers added tokens itself: on from the vocabulary
    let next = Object.keys(known).length
    form.added_tokens &&= form.added_tokens.map(token => ({ id: known[token.content] ?? next++, ...token }))
    const whole = { version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null, post_processor: null, decoder: null, ...form, model: models[form.model] }
    const tokenizer = Tokenizer.fromString(JSON.stringify(whole))
    ids[name] = []
    for (const text of texts) ids[name].push([...(await tokenizer.encode(text, null, { addSpecialTokens: false })).getIds()])
}
const list = rows => `[\n${rows.map(row => JSON.stringify(row)).join(',\n')}\n]`
const object = of => `{\n${Object.entries(of).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')}\n}`
writeFileSync(new URL('golden.json', folder), `{"made": "tests/golden/tokenizer/make.mjs, tokenizers 0.23.2 of npm",
"models": ${object(models)},
"forms": ${object(forms)},
"texts": ${list(texts)},
"ids": ${object(ids)}}\n`)
console.log(Object.keys(forms).length, 'forms', texts.length, 'texts')
