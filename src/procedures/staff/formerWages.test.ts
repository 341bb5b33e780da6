/** What is suggested from a person's past is read as the user sees it: a former customer's stays with its staff. */
import { expect, test } from 'vitest'
import { insuredMonths } from './injuries.ts'
import { wagesOf } from './letters.ts'

const family = { key: 'social', expense: {}, items: [{ key: 'injury', insures: 'workInjury' }] }

test.each([
  ['the average income of a letter', (work: object) => wagesOf(work as never, 1)],
  ['the insured wage before an injury', (work: object) => insuredMonths(work as never, 1, '2026-03')],
])('%s', async (_, suggest) => {
  const reads: { name: string; seen?: boolean }[] = []
  await suggest({
    families: () => [family],
    read: async (name: string, { seen }: { seen?: boolean }) => {
      reads.push({ name, seen })
      return []
    },
  })
  expect(reads).toEqual([{ name: expect.any(String), seen: true }])
})
