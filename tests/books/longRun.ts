import { writeSync } from 'node:fs'
import { known } from './known.ts'
import { play, shrink, storyOf, type Story } from './story.ts'

export interface Found {
  rule: string
  seed: number
  /** How often in this run. */ times: number
  message: string
  log: string[]
  story: Story
}

const avoided = process.env.BOOKS_ALL ? [] : known

/** Plays many years in turn. Returns, for each broken rule, the first story that broke it, shortened. */
export async function longRun({ years, seed, steps }: { years: number; seed: number; steps: number }) {
  const found = new Map<string, Found>()
  const sums = { years: 0, done: 0, refused: 0 }
  for (let year = seed; year < seed + years; year++) {
    const story = storyOf(year, steps)
    const { done, refused, broken } = await play(story, avoided)
    sums.years++
    sums.done += done
    sums.refused += refused
    if (years > 20 && sums.years % 20 === 0) print(`${sums.years} years, ${sums.done} steps`)
    if (!broken) continue
    const before = found.get(broken.rule)
    if (before) {
      before.times++
      continue
    }
    const shortest = await shrink(story, broken.rule, avoided)
    const again = await play(shortest, avoided)
    const { rule, message } = again.broken ?? broken
    found.set(rule, { rule, seed: year, times: 1, message, log: again.log, story: shortest })
    print(`\nseed ${year}\n${again.log.join('\n')}\n${message}\n${JSON.stringify(shortest)}`)
  }
  return { ...sums, found: [...found.values()] }
}

/** Written synchronously, because a long run is watched while it goes on. */
const print = (text: string) => writeSync(1, `${text}\n`)
