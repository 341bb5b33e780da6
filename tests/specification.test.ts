import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { entriesOf, testsIn } from './specification.ts'

const entries = entriesOf(readFileSync('tests/specification.md', 'utf8'))
const tests = entries.filter(({ kind }) => kind === 'test')

test('every section lists each of its sentences', () => {
  expect([...new Set(entries.map(({ section }) => section))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const section of new Set(entries.map((each) => each.section))) {
    const own = entries.filter((each) => each.section === section)
    const covered = new Set(own.flatMap(({ sentences }) => sentences))
    expect(
      [...covered].sort((a, b) => a - b),
      `section ${section}`,
    ).toEqual(Array.from({ length: own[0].count }, (_, index) => index + 1))
  }
})

test.each([...new Set(tests.map(({ file }) => file))].sort())('%s has the named tests', (file) => {
  expect(existsSync(file), file).toBe(true)
  const known = testsIn(file, readFileSync(file, 'utf8'))
  expect(tests.filter((each) => each.file === file && !known.includes(each.name)).map(({ name }) => name)).toEqual([])
})

test('every named address is in the list, and every listed address is named', () => {
  const routes = (JSON.parse(readFileSync('tests/routes.json', 'utf8')) as { path: string; area: string }[]).filter(
    // Addresses of the frame are opened by their own test, src/shell/routes.test.tsx.
    ({ area }) => area !== 'base',
  )
  const named = entries.flatMap(({ at }) => at)
  const matches = (pattern: string) => new RegExp(`^${pattern.replaceAll('*', '.+')}$`)
  const lost = named.filter((pattern) => !routes.some(({ path }) => matches(pattern).test(path)))
  const unnamed = routes.filter(({ path }) => !named.some((pattern) => matches(pattern).test(path)))
  expect([lost, unnamed]).toEqual([[], []])
})

test('no test covers more than three sentences', () => {
  const answersFor = new Map<string, Set<string>>()
  for (const { file, name, section, sentences } of tests) {
    const key = `${file} › ${name}`
    answersFor.set(
      key,
      new Set([...(answersFor.get(key) ?? []), ...sentences.map((sentence) => `${section}.${sentence}`)]),
    )
  }
  expect([...answersFor].filter(([, sentences]) => sentences.size > 3).map(([key]) => key)).toEqual([])
})

test('a test is found by its describe titles and its own, in any form of call', () => {
  const text = `
    describe('a', () => {
      test.each([1])('b %s', () => {}); it('c', () => {})
      describe.each([1])('d', () => { it.each<[string]>([['x']])('e', () => {}) })
    })
    test('it\\'s f', () => {}); other('g', () => {})`
  expect(testsIn('x.test.ts', text)).toEqual(['a › b %s', 'a › c', 'a › d › e', "it's f"])
})

test('a line that is not an entry is refused', () => {
  expect(() => entriesOf('## 1 · 2 sentences\n- 1.1 somewhere')).toThrow('1.1 somewhere')
  expect(() => entriesOf('## 1 · 2 sentences\n- 2.1 nothing to test')).toThrow('2.1')
})
