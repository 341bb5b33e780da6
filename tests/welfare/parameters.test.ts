import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kinds } from '../../engine/screens/index.ts'
import { compile } from '../../engine/schema/compile.ts'
import { mergePatch } from '../../engine/schema/generate.ts'
import { widgets } from '../../engine/widgets/index.ts'

const read = (path: string) => readFileSync(`schemas/${path}`, 'utf8')
interface Family { parameters: { items: object[] } }

/** What an analyst reads about a family whose parameters were changed like this. */
function told(family: string, change: object): string[] {
  const path = `welfare/${family}.family.json`
  const changed = mergePatch(JSON.parse(read(path)) as never, { parameters: change } as never)
  const sources = [
    { path: 'schemas/app.json', text: read('app.json') },
    { path: 'schemas/welfare/handling/handling.template.json', text: read('welfare/handling/handling.template.json') },
    { path: `schemas/${path}`, text: JSON.stringify(changed) },
  ]
  return compile(sources, { widgets, kinds, procedures: [] }).issues.filter(({ file }) => file === `schemas/${path}`).map(({ code, message }) => `${code}: ${message}`)
}
const item = (family: string, index: number) => (JSON.parse(read(`welfare/${family}.family.json`)) as Family).parameters.items[index]

test.each(['socialsecurity', 'medicalinsurance', 'accumulationfund'])('%s is sound', (family) => {
  expect(told(family, {})).toEqual([])
})

test('what has a default or belongs to an operation that is absent may be left out', () => {
  const absent = { pages: { fm: null, supplement: null }, adjustTypes: null, supplementTypes: null, supplement: null, words: { adjustCn: null, adjustEn: null, supplementCn: null, supplementEn: null } }
  expect(told('accumulationfund', { ...absent, maxTotalRate: null, eligibility: null, settlement: null, extraFields: null, dicts: null, importDiff: null })).toEqual([])
  expect(told('socialsecurity', { base: { cn: null, en: null, mode: 'none' } })).toEqual([])
})

test.each([
  ['a name', { short: null }, 'missing-key: The key "short" is missing.'],
  ['the types of an operation that there is', { adjustTypes: null }, 'missing-key: The key "adjustTypes" is missing.'],
  ['its title', { words: { supplementEn: null } }, 'missing-key: The key "supplementEn" is missing.'],
  ['how late fees come about', { supplement: null }, 'missing-key: The key "supplement" is missing.'],
  ['the name of a base', { base: { cn: null } }, 'missing-key: The key "cn" is missing.'],
  ['the range of a rate that is chosen', { items: [{ ...item('accumulationfund', 0), range: undefined }] }, 'missing-key: The key "range" is missing.'],
  ['the month of what is paid once a year', { items: [{ ...item('medicalinsurance', 1), payMonth: undefined }] }, 'missing-key: The key "payMonth" is missing.'],
])('%s is asked for', (_, change, message) => {
  expect(told('accumulationfund', change)).toEqual([message])
})

test.each([
  ['an unknown parameter', { colour: 'red' }, 'unknown-key: There is no key "colour" here'],
  ['a rate that is a number', { maxTotalRate: 24 }, 'wrong-type: '],
  ['a family without additions', { additionTypes: [] }, 'too-short: '],
  ['an unknown mode', { base: { mode: 'each' } }, 'not-allowed-value: '],
])('%s is refused', (_, change, message) => {
  const issues = told('accumulationfund', change)
  expect(issues).toHaveLength(1)
  expect(issues[0].startsWith(message), issues[0]).toBe(true)
})
