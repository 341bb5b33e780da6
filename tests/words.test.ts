import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { allWordUses, missing, readSource, unused, untranslated, wordsOf } from './words.ts'

const files = ['engine', 'src']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name)),
  )
  .filter((name) => /\.tsx?$/.test(name) && !/\.(test|examples)\.tsx?$|^src\/(commands|demo)\//.test(name))
  .sort()
const sources = files.map((name) => readSource(name, readFileSync(name, 'utf8')))
const sets = sources.flatMap((source) => wordsOf(source) ?? [])
const uses = allWordUses(sources, sets)

test('every file of words is read', () => {
  const known = ['engine/client/formWords.ts', 'engine/client/words.ts', 'src/session/words.ts', 'src/shell/words.ts']
  expect(sets.map(({ file }) => file)).toEqual(expect.arrayContaining(known))
  for (const { keys } of sets) expect(keys.length).toBeGreaterThan(0)
})

test.each(sets.map((set) => [set.file, set] as const))('%s has no unused word', (_, set) => {
  expect(unused(set, uses)).toEqual([])
})

test('every used word is in a file of words', () =>
  expect(sources.flatMap((source) => missing(source, sets))).toEqual([]))

test('every text exists in both languages, with the same parameters', () => {
  // In Chinese the number of decimals is a word.
  expect(sources.flatMap(untranslated).filter((found) => !found.includes('{places}'))).toEqual([])
})

describe('the lint', () => {
  const words = readSource(
    'a/words.ts',
    `
    const words = defineWords({ one: { cn: '一', en: 'One' }, two: { cn: '二', en: 'Two' }, 'size-big': { cn: '大', en: 'Big' } })
    export const useOwnWords = words.use`,
  )
  const set = wordsOf(words)!
  const view = (text: string) => readSource('a/view.tsx', `import { useOwnWords } from './words.ts'\n${text}`)
  const lacks = (text: string) => unused(set, allWordUses([words, view(text)], [set]))

  test('finds used words', () => {
    expect(
      lacks(
        "function A() { const t = useOwnWords(); return [t('one'), t(big ? 'two' : 'one', { n: 1 }), t(`size-${x}`)] }",
      ),
    ).toEqual([])
    expect(
      lacks(
        "function A() { const t = useOwnWords(); const key = big ? 'one' : 'two'; return [t(key), t('size-big')] }",
      ),
    ).toEqual([])
  })
  test('finds an unused word', () => {
    expect(lacks("function A() { const t = useOwnWords(); return t('one') }")).toEqual(['two', 'size-big'])
    expect(lacks("const t = (key: string) => key; t('one'); 'two'")).toEqual(['one', 'two', 'size-big'])
  })
  test('finds a missing word', () => {
    expect(missing(view("function A() { const t = useOwnWords(); return t(big ? 'two' : 'three') }"), [set])).toEqual([
      'a/view.tsx: three',
    ])
    expect(missing(view('function A() { const t = useOwnWords(); return t(`length-${x}`) }'), [set])).toEqual([
      'a/view.tsx: length-…',
    ])
  })
  test('finds a missing language and different parameters', () => {
    const problems = (text: string) => untranslated(readSource('a.ts', text))
    expect(problems("const a = { cn: '一', en: 'One' }")).toEqual([])
    expect(problems("const a = { cn: '一' }")).toEqual(["a.ts:1: { cn: '一' }"])
    expect(problems("const a = { cn: '一', en: '' }")).toHaveLength(1)
    expect(problems("const a = { cn: '共{n}条', en: '{m} records' }")).toHaveLength(1)
    expect(problems("const a = { cn: '共{n}条', en: '{n} {n|record|records}' }")).toEqual([])
    expect(problems("const a = { cn: '共{n}条', en: '{n} {m|record|records}' }")).toHaveLength(1)
  })
})
