// Writes the-stack.parquet beside this file: five rows with the columns of a file of The Stack, for tests/cli/datasets.sh.
// `npm ci --ignore-scripts && node tests/golden/datasets/make.mjs`; the result is committed, so the test needs neither.
import { writeFileSync } from 'node:fs'
import * as arrow from 'apache-arrow'
import parquet from 'parquet-wasm'

const { Field, Float64, Int64, List, Utf8 } = arrow
const content = n => `import os


def add${n}(left, right, counter):
    """Adds."""
    total = left + right
    counter.note(total, left, right, journal, second, clock, minute, hour, day, month)
    return total


print(os.getcwd())
`
const types = {
    hexsha: new Utf8(), size: new Int64(), ext: new Utf8(), lang: new Utf8(), max_stars_repo_path: new Utf8(), max_stars_repo_name: new Utf8(),
    max_stars_repo_head_hexsha: new Utf8(), max_stars_repo_licenses: new List(new Field('item', new Utf8(), true)), max_stars_count: new Float64(),
    content: new Utf8(), avg_line_length: new Float64(), max_line_length: new Int64(), alphanum_fraction: new Float64(),
}
const rows = Array.from({ length: 5 }, (_, n) => ({
    hexsha: String(n).padStart(40, '0'), size: BigInt(content(n).length), ext: 'py', lang: 'Python', max_stars_repo_path: 'a.py',
    max_stars_repo_name: 'owner/stack', max_stars_repo_head_hexsha: '0'.repeat(40), max_stars_repo_licenses: ['MIT', 'Apache-2.0'],
    max_stars_count: n === 2 ? null : n, content: content(n), avg_line_length: 20.5, max_line_length: 87n, alphanum_fraction: 0.7,
}))
const schema = new arrow.Schema(Object.entries(types).map(([name, type]) => new Field(name, type, true)))
const columns = Object.entries(types).map(([name, type]) => arrow.vectorFromArray(rows.map(one => one[name]), type).data[0])
const data = arrow.makeData({ type: new arrow.Struct(schema.fields), length: rows.length, nullCount: 0, children: columns })
const table = new arrow.Table(schema, new arrow.RecordBatch(schema, data))
const settings = new parquet.WriterPropertiesBuilder().setCompression(parquet.Compression.SNAPPY).build()

writeFileSync(new URL('the-stack.parquet', import.meta.url),
              parquet.writeParquet(parquet.Table.fromIPCStream(arrow.tableToIPC(table, 'stream')), settings))
