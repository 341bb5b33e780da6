import { describe, expect, it } from 'vitest'
import { readSchemas } from '../../server/catalog/sources.ts'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { originsOf } from './origins.ts'
import type { SourceText } from '../reading/SourceFile.ts'

const lists = { widgets, kinds, procedures: [] }
const sources = readSchemas('tests/mistakes/sound/schemas')
const origins = originsOf(sources, lists)
/** The line of a place, from its column on. */
const lineAt = (
  place: { file: string; line: number; column: number } | undefined,
  array: readonly SourceText[] = sources,
) =>
  place &&
  array
    .find(({ path }) => path === place.file)!
    .text.split('\n')
    [place.line - 1].slice(place.column - 1)

describe('the origin of a part of a catalog', () => {
  it('is its key in its file', () => {
    const fields = origins.valueAt('entity', 'order', '/fields') as object
    for (const name of Object.keys(fields))
      expect(lineAt(origins.place('entity', 'order', `/fields/${name}`))).toMatch(new RegExp(`^"${name}":`))
    expect(origins.place('entity', 'nothing', '/fields')).toBeUndefined()
    expect(origins.keysAt('entity', 'order', '/fields/nothing')).toEqual([])
    for (const { key, place } of origins.keysAt('entity', 'order', ''))
      expect(lineAt(place)).toMatch(new RegExp(`^"${key}":`))
  })

  it('is each place of a list that names it', () => {
    const [pointer, ...more] = origins.itemsOf('list', 'order', ['columns'], 'status')
    expect(more).toEqual([])
    expect(lineAt(origins.place('list', 'order', pointer))).toContain('status')
  })

  it('is the file of the template if a family makes the part', () => {
    const family = sources.find(({ path }) => path.endsWith('parking.family.json'))!
    expect(family).toBeDefined()
    const place = origins.place('entity', 'parkingFee', '/fields')
    expect(place?.file).toBe(family.path.replace('parking.family.json', 'fee/fee.entity.json'))
    expect(lineAt(place)).toMatch(/^"fields":/)
  })
})

it('finds a visible text, including its filled-in values', () => {
  const text: SourceText[] = [
    {
      path: 'schemas/shop/tag.dictionary.json',
      text: JSON.stringify({
        label: { cn: '标签', en: 'Tags' },
        choices: [
          { value: 'a', label: { cn: '第{n}条，共{m}条', en: '{x}' } },
          { value: 'b', label: { cn: '共{m}条', en: 'All' } },
        ],
      }),
    },
  ]
  const find = (shown: string) =>
    originsOf(text, lists)
      .textsLike(shown, 5)
      .map((each) => each.text)
  expect(find('标签')).toEqual(['标签'])
  expect(find('第3条，共12条')).toEqual(['第{n}条，共{m}条'])
  expect(find('第3条，共12页')).toEqual([])
  expect(find('anything at all')).toEqual([])
})
