/**
 * Stories that failed once. Those of known, unfixed faults are expected to break the named rule: the fix of a fault
 * makes its test fail, and must then update `stories` and remove the point from `known.ts`.
 */
import { existsSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { Stage } from './Stage.ts'
import { play } from './story.ts'
import { stories } from './stories/index.ts'

afterAll(() => Stage.end())

/** The tests that show the same as the stories of a point, which only the long form plays. */
const shownBy: Record<string, string> = {
  '2.1': 'salary/payrolls',
  '2.3': 'welfare/handling',
  '2.4 decided, owned': 'welfare/adoptedLines',
  '2.5 decided': 'welfare/adoptedLines',
  '2.7 beyond the cap': 'salary/workedSamples',
  '2.9': 'welfare/formerAddition',
  '2.9 open addition': 'welfare/formerAddition',
  '2.13': 'salary/payrolls',
  '2.15': 'welfare/formerEmployment',
  '2.16': 'salary/paidAgain',
  '2.17 version': 'welfare/householdPolicies',
  '3.1': 'settlement/laterFees',
  '3.8 after the end': 'settlement/laterFees',
  '3.8 comes back': 'settlement/splitServices',
  '3.8 fixed': 'settlement/laterFees',
  '3.8 minimum': 'settlement/laterFees',
  '3.8 first statement': 'settlement/headFees',
  '3.8 no fee': 'settlement/headFees',
  '3.8 two contracts': 'settlement/splitServices',
  '3.8 wages alone': 'settlement/headFees',
}
/** The short form plays one story of each other point. */
const played = Object.entries(stories).filter(
  ([, { point }], index, all) =>
    isLong || (!(point in shownBy) && all.findIndex(([, other]) => other.point === point) === index),
)
test('the tests that show the others are there, and their points', () => {
  const points = new Set(Object.values(stories).map(({ point }) => point))
  for (const [point, name] of Object.entries(shownBy))
    expect([point, points.has(point), existsSync(`tests/${name}.test.ts`)]).toEqual([point, true, true])
})
for (const [name, { point, rule, open, story }] of played)
  test(`${point} ${name}`, async () => {
    const { broken } = await play(story, [])
    if (open) expect(broken?.rule).toBe(rule)
    else expect(broken?.message).toBeUndefined()
  })
