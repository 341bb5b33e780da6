/**
 * `node --import tsx tests/breaks/choose.ts` chooses the breaks and writes `breaks.json`. The same seed on the same
 * sources chooses the same places, but the list is stored, so that it stays the same when the sources change.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { placesOf } from './places.ts'
import type { Place } from './places.ts'

export interface Break extends Place {
  id: number
  file: string
  line: number
}

/** The number of breaks in each part of the project. */
const shares: Record<string, number> = {
  'engine/server': 20,
  'engine/schema': 12,
  'engine/expression': 4,
  'engine/client': 8,
  'engine/screens': 8,
  'engine/widgets': 6,
  'src/procedures': 16,
  'src/shell': 4,
  'src/session': 2,
}
const isTested = (file: string) => /\.tsx?$/.test(file) && !/\.(test|examples)\.tsx?$|\/docs\/|\.d\.ts$/.test(file)

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const root = path.resolve(import.meta.dirname, '../..')
const random = numbersFrom(20261123)
const breaks: Break[] = []
for (const [part, count] of Object.entries(shares)) {
  const places = readdirSync(path.join(root, part), { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => `${part}/${name}`)
    .filter(isTested)
    .flatMap((file) => {
      const source = readFileSync(path.join(root, file), 'utf8')
      return placesOf(file, source).map((place) => ({
        file,
        line: source.slice(0, place.start).split('\n').length,
        ...place,
      }))
    })
  for (let chosen = 0; chosen < count;) {
    const place = places[Math.floor(random() * places.length)]
    // About one for each function: another place in the same lines shows nothing new.
    if (breaks.some(({ file, line }) => file === place.file && Math.abs(line - place.line) < 5)) continue
    breaks.push({ id: breaks.length + 1, ...place })
    chosen++
  }
}
writeFileSync(path.join(import.meta.dirname, 'breaks.json'), `${JSON.stringify(breaks, null, 1)}\n`)
