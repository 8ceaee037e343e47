// The files that the comparisons with other parsers are made on.
import fs from 'node:fs';
import path from 'node:path';

function* walk(folder) {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const at = path.join(folder, entry.name);
        if (entry.isDirectory()) yield* walk(at);
        else if (entry.isFile()) yield at;
    }
}

// All files in the folders that are there.
export function filesUnder(folders) {
    return folders.flatMap(f => fs.existsSync(f) ? [...walk(f)] : []);
}

// Every k-th file of those with one of the extensions, in the order of their paths: SAMPLE of them, or 400.
export function sampleOf(all, extensions) {
    const sample = Number(process.env.SAMPLE || 400);
    const files = all.filter(f => extensions.some(e => f.endsWith(e)) && !/\.(d\.[mc]?ts|min\.js)$/.test(f) &&
                                  fs.statSync(f).size < 200000).sort();
    const step = Math.max(1, files.length / sample);
    return Array.from({ length: Math.min(files.length, sample) }, (_, i) => files[Math.floor(i * step)]);
}
