/**
 * Stories that failed once. Those of known, unfixed faults are expected to break the named rule: the fix of a fault
 * makes its test fail, and must then update `stories` and remove the point from `known.ts`.
 */
import { afterAll, expect, test } from 'vitest'
import { Stage } from './Stage.ts'
import { play } from './story.ts'
import { stories } from './stories/index.ts'

afterAll(() => Stage.end())

for (const [name, { point, rule, open, story }] of Object.entries(stories))
  test(`${point} ${name}`, async () => {
    const { broken } = await play(story, [])
    if (open) expect(broken?.rule).toBe(rule)
    else expect(broken?.message).toBeUndefined()
  })
