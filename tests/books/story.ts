import * as fc from 'fast-check'
import { Broken, type Fee, World } from './world.ts'
import { known } from './known.ts'
import { followHouseholds } from './steps/households.ts'
import { kinds, type Step } from './steps/index.ts'
import { check } from './invariants/index.ts'

/** A company's year, which can be replayed. */
export interface Story {
  fees: Fee[]
  steps: Step[]
}
export interface Outcome {
  log: string[]
  /** How many steps did something. */ done: number
  refused: number
  broken?: Broken
}

const plain: fc.Arbitrary<Fee> = fc.constantFrom<Fee>(
  { mode: 'perHead' },
  { mode: 'percentage' },
  { mode: 'fixed' },
  { mode: 'tiered' },
  { mode: 'perHead', minimum: '500' },
)
const fees: fc.Arbitrary<Fee> = fc.oneof(
  { weight: 3, arbitrary: plain },
  { weight: 1, arbitrary: plain.map((fee) => ({ ...fee, prepaid: true })) },
  { weight: 1, arbitrary: plain.map((fee) => ({ ...fee, end: '2026-04-30' })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Fee>({ mode: 'perHead', part: 'halfMonth' }, { mode: 'tiered', part: 'byDay' }),
  },
)

const stepOf = (name: string): fc.Arbitrary<Step> =>
  kinds[name].values.map((values) => ({ do: name, ...(values as object) }) as Step)

/** @param length the approximate number of steps */
export const stories = (length: number): fc.Arbitrary<Story> =>
  fc
    .record({
      fees: fc.array(fees, { minLength: 1, maxLength: 3 }),
      // Most steps need a person to exist.
      beginning: fc.array(stepOf('join'), { minLength: 1, maxLength: 4 }),
      rest: fc.array(
        fc.oneof(...Object.entries(kinds).map(([name, { weight }]) => ({ weight, arbitrary: stepOf(name) }))),
        { minLength: Math.ceil(length / 2), maxLength: length, size: 'max' },
      ),
    })
    .map(({ fees: mode, beginning, rest }) => ({ fees: mode, steps: [...beginning, ...rest] }))

/** The story that a seed generates. */
export const storyOf = (seed: number, length: number): Story => fc.sample(stories(length), { seed, numRuns: 1 })[0]

/** Plays a story to its end, or until an invariant breaks. */
export async function play(
  story: Story,
  avoided: readonly string[] = known,
  atEnd?: (world: World) => Promise<void>,
): Promise<Outcome> {
  const world = await World.begin(story.fees, avoided)
  const outcome: Outcome = { log: world.log, done: 0, refused: 0 }
  try {
    for (const step of story.steps) {
      const entry = await kinds[step.do].run(world, step as never)
      if (entry === undefined) continue
      await followHouseholds(world)
      world.model.acts++
      world.log.push(`${world.day} ${entry}`)
      if (entry.includes('refused:')) outcome.refused++
      else outcome.done++
      if (kinds[step.do].balances) await check(world)
    }
    world.log.push(`${world.day} ${await kinds.balance.run(world, {} as never)}`)
    await check(world)
    await atEnd?.(world)
  } catch (error) {
    if (!(error instanceof Broken)) throw new Error(`${world.log.join('\n')}\n${String(error)}`, { cause: error })
    outcome.broken = error
  }
  return outcome
}

/**
 * Shortens a story that breaks a rule: leaves out parts while it still breaks the rule, in at most `tries` attempts.
 */
export async function shrink(
  story: Story,
  rule: string,
  avoided: readonly string[] = known,
  tries = 40,
): Promise<Story> {
  let shortest = story
  let left = tries
  const stillBreaks = async (candidate: Story) => {
    if (left-- <= 0) return false
    try {
      return (await play(candidate, avoided)).broken?.rule === rule
    } catch {
      return false
    }
  }
  for (let size = Math.ceil(story.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = shortest.steps.length - size; start > -size && left > 0; start -= size) {
      const from = Math.max(0, start)
      const candidate = { ...shortest, steps: shortest.steps.toSpliced(from, start + size - from) }
      if (candidate.steps.length < shortest.steps.length && (await stillBreaks(candidate))) shortest = candidate
    }
  }
  const alone = { ...shortest, fees: shortest.fees.slice(0, 1) }
  return shortest.fees.length > 1 && (await stillBreaks(alone)) ? alone : shortest
}
