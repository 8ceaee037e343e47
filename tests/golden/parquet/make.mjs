// Writes the fixtures of tests/unit/corpus/source_parquet.c beside this file: the same rows in every codec, encoding and page version, and as JSON
// lines.  `npm ci --ignore-scripts && node tests/golden/parquet/make.mjs`; the results are committed, so tests need neither.
import { writeFileSync } from 'node:fs'
import * as arrow from 'apache-arrow'
import parquet from 'parquet-wasm'

const folder = new URL('.', import.meta.url)

// Small whole numbers of one sequence, the same on every machine.
let state = 1
const below = n => (state = state * 48271 % 2147483647) % n
const words = ['int', 'return', 'x', 'while', '(', ')', '{', '}', '"é\\n"', 'naïve', 'for', ';', '\t', '\n']
const text = n => Array.from({ length: n }, () => words[below(words.length)]).join(' ')

const row = i => ({
    idx: i * 1000003 - 5000000000,
    file: i % 11 === 7 ? null : { body: i % 13 === 5 ? null : i % 17 === 3 ? '' : text(1 + below(60)), size: i },
    path: i % 5 === 4 ? null : `src/module_${below(4)}/file_${i}.c`,
    repo: { name: { full: ['alice/one', 'bob/two', 'carol/three'][below(3)] } },
    language: 'c',
    flag: below(3) === 0 ? null : below(2) === 0,
    score: below(4) === 0 ? null : below(1000) / 8 - 20,
    stars: below(6) === 0 ? null : below(2) ? 4294967295 - i : i,
    half: i / 2,
    tokens: i % 7 === 6 ? null : Array.from({ length: below(5) }, (_, k) => k === 3 ? '"q"\n' : words[below(words.length)]),
})

const { Bool, Field, Float32, Float64, Int32, Int64, List, Struct, Uint32, Utf8 } = arrow
const full = new Struct([new Field('full', new Utf8(), true)])
const types = {
    idx: new Int64(), file: new Struct([new Field('body', new Utf8(), true), new Field('size', new Int32(), true)]), path: new Utf8(),
    repo: new Struct([new Field('name', full, true)]), language: new Utf8(), flag: new Bool(), score: new Float64(),
    stars: new Uint32(), half: new Float32(), tokens: new List(new Field('item', new Utf8(), true)),
}

function table(rows) {
    const schema = new arrow.Schema(Object.entries(types).map(([name, type]) => new Field(name, type, name !== 'language')))
    const columns = Object.entries(types).map(([name, type]) => {
        const values = rows.map(one => name === 'idx' ? BigInt(one.idx) : one[name])

        return arrow.vectorFromArray(values, type).data[0] ?? arrow.makeData({ type, length: 0, nullCount: 0 })
    })
    const data = arrow.makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children: columns })

    return new arrow.Table(schema, new arrow.RecordBatch(schema, data))
}

const rows = Array.from({ length: 40 }, (_, i) => row(i))

// The settings that everything has: three row groups, pages of 8 values.
const small = { setMaxRowGroupSize: 15, setWriteBatchSize: 4, setDataPageSizeLimit: 300, setStatisticsEnabled: parquet.EnabledStatistics.None }
const codecs = { plain: 'UNCOMPRESSED', snappy: 'SNAPPY', gzip: 'GZIP', brotli: 'BROTLI', zstd: 'ZSTD', lz4: 'LZ4_RAW' }
const strings = ['file.body', 'path', 'repo.name.full', 'language', 'tokens.list.item']
const encodings = {
    plain: {}, dictionary: null,
    length: { strings: 'DELTA_LENGTH_BYTE_ARRAY', numbers: 'DELTA_BINARY_PACKED' },
    delta: { strings: 'DELTA_BYTE_ARRAY', numbers: 'BYTE_STREAM_SPLIT' },
}

function write(name, written, settings, encoding) {
    const chosen = encodings[encoding]
    let   builder = new parquet.WriterPropertiesBuilder()

    for (const [key, value] of Object.entries({ ...small, ...settings })) builder = builder[key](value)
    builder = builder.setDictionaryEnabled(chosen === null)
    if (chosen?.strings) {
        for (const column of strings) builder = builder.setColumnEncoding(column, parquet.Encoding[chosen.strings])
        for (const column of ['idx', 'stars']) builder = builder.setColumnEncoding(column, parquet.Encoding[chosen.numbers])
        for (const column of ['score', 'half']) builder = builder.setColumnEncoding(column, parquet.Encoding.BYTE_STREAM_SPLIT)
        builder = builder.setColumnEncoding('flag', parquet.Encoding.RLE)
    }
    const made = parquet.Table.fromIPCStream(arrow.tableToIPC(table(written), 'stream'))

    writeFileSync(new URL(name, folder), parquet.writeParquet(made, builder.build()))
}

for (const [name, codec] of Object.entries(codecs))
    for (const encoding of Object.keys(encodings))
        for (const version of [1, 2])
            write(`${name}-${encoding}-v${version}.parquet`, rows,
                  { setCompression: parquet.Compression[codec], setWriterVersion: version - 1 }, encoding)
write('empty.parquet', [], {}, 'plain')
write('one.parquet', rows.slice(0, 1), {}, 'plain')
writeFileSync(new URL('rows.jsonl', folder), rows.map(one => JSON.stringify(one) + '\n').join(''))
