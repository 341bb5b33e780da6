/**
 * Stories that failed once. Those of faults that are known and not mended are expected to fail, by the rule that is
 * named: whoever mends one finds its test failing, says so in `stories`, and takes its point out of `known.ts`.
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
