/**
 * Stories that failed once. Those of known, unfixed faults are expected to break the named rule: the fix of a fault
 * makes its test fail, and must then update `stories` and remove the point from `known.ts`.
 */
import { afterAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { Stage } from './Stage.ts'
import { play } from './story.ts'
import { stories } from './stories/index.ts'

afterAll(() => Stage.end())

/** The short form plays one story of each point. */
const played = Object.entries(stories).filter(
  ([, { point }], index, all) => isLong || all.findIndex(([, other]) => other.point === point) === index,
)
for (const [name, { point, rule, open, story }] of played)
  test(`${point} ${name}`, async () => {
    const { broken } = await play(story, [])
    if (open) expect(broken?.rule).toBe(rule)
    else expect(broken?.message).toBeUndefined()
  })
