/**
 * Stories of faults that are known and not mended. Whoever mends one finds its test here failing: then the story goes to
 * `mended` and its point out of `known.ts`.
 */
import { afterAll, expect, test } from 'vitest'
import { Stage } from './Stage.ts'
import { play } from './story.ts'
import { stories } from './stories/index.ts'

afterAll(() => Stage.end())

for (const [name, { point, rule, story }] of Object.entries(stories))
  test.fails(`${point} ${name}`, async () => {
    const { broken } = await play(story, [])
    // Another rule than the one that is known to break would hide behind it.
    if (broken && broken.rule !== rule) return
    expect(broken?.message).toBeUndefined()
  })
