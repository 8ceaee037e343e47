// Writes the Parquet files of `make bench`: JSON lines from standard input, their text and path as two columns, 1,000
// rows a row group as the exports of Hugging Face have them, pages of 1 MB, dictionaries where the writer thinks them
// worth it.
//   zstd -dc SHARD.jsonl.zst | node scripts/bench_parquet.mjs LIMIT CODEC=FILE...
// LIMIT: bytes of text at most.  Prints the bytes of text and the rows written.  Its packages: `npm ci
// --ignore-scripts` (package.json).
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import * as arrow from 'apache-arrow'
import parquet from 'parquet-wasm'

const limit = Number(process.argv[2]), text = [], path = []
let bytes = 0

for await (const line of createInterface({ input: process.stdin })) {
    const row = JSON.parse(line), size = Buffer.byteLength(row.text)

    if (bytes + size > limit) break
    bytes += size
    text.push(row.text)
    path.push(row.path ?? '')
}
const utf8 = (values) => arrow.vectorFromArray(values, new arrow.Utf8())
const columns = { text: utf8(text), path: utf8(path) }
const stream = arrow.tableToIPC(new arrow.Table(columns), 'stream')

for (const argument of process.argv.slice(3)) {
    const [codec, file] = argument.split('=')
    const settings = new parquet.WriterPropertiesBuilder()
        .setCompression(parquet.Compression[codec.toUpperCase()]).setMaxRowGroupSize(1000).build()

    writeFileSync(file, parquet.writeParquet(parquet.Table.fromIPCStream(stream), settings))
}
console.log(bytes, text.length)
