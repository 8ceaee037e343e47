// Reads exports in Parquet with DuckDB and compares them with those in JSON lines; then the SQLite file, if it can.
//     node export.mjs NODE_MODULES FOLDER THING...
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const [modules, folder, ...things] = process.argv.slice(2)
const { DuckDBInstance } = createRequire(resolve(modules, 'any.js'))('@duckdb/node-api')
const connection = await (await DuckDBInstance.create(':memory:')).connect()
const rowsOf = async (sql) => (await connection.runAndReadAll(sql)).getRowObjects()
const plain = (value) => (typeof value === 'bigint' ? Number(value) : value)
const fail = (text) => { console.log('FAILED: ' + text); process.exit(1) }

for (const thing of things) {
    const lines = readFileSync(`${folder}/${thing}.jsonl`, 'utf8').split('\n').slice(0, -1)
    const wanted = lines.map((line) => JSON.parse(line))
    const read = await rowsOf(`SELECT * FROM '${folder}/${thing}.parquet'`)
    if (read.length !== wanted.length) fail(`${thing}: ${read.length} rows, not ${wanted.length}`)
    read.forEach((row, i) => {
        for (const [name, value] of Object.entries(wanted[i]))
            if (plain(row[name]) !== value) fail(`${thing}, row ${i}, ${name}: ${row[name]}, not ${value}`)
    })
    const told = await rowsOf(`SELECT decode(value) AS value FROM parquet_kv_metadata('${folder}/${thing}.parquet')
                               WHERE decode(key) = 'leakgraph.thing'`)
    if (told[0].value !== thing) fail(`${thing}: its metadata says ${told[0].value}`)
    console.log(`${thing}: ${read.length} rows of Parquet are the same`)
}
