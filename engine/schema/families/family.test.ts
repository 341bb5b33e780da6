import { expect, test } from 'vitest'
import { expandFamilies } from './family.ts'
import { mergePatch } from './mergePatch.ts'
import { readSources } from '../read.ts'
import { Reporter } from '../issues/report.ts'

test('a patch merges objects, replaces lists and values, and removes by null', () => {
  expect(mergePatch({ a: { b: 1, c: [1, 2] }, d: 'x' }, { a: { c: [3], e: 2 }, d: null })).toEqual({
    a: { b: 1, c: [3], e: 2 },
  })
  expect(mergePatch({ a: 'text' }, { a: { b: null, c: 1 } })).toEqual({ a: { c: 1 } })
  expect(mergePatch([1], { a: 1 })).toEqual({ a: 1 })
})

test('a patch does not modify its arguments', () => {
  const target = { a: { b: 1 } }
  mergePatch(target, { a: { b: 2 } })
  expect(target).toEqual({ a: { b: 1 } })
})

test('a template or another file computes values, repeats files for items, and sees its families in order', () => {
  const sources = Object.entries({
    'schemas/shop/fee/fee.template.json': {
      label: { cn: '费用', en: 'Fee' },
      area: 'shop',
      order: 'rank',
      parameters: {
        type: 'object',
        properties: { key: { type: 'string' }, rank: { type: 'integer' }, none: { type: 'string' } },
      },
      values: { name: '${key}Fee', text: '${name} of ${families.fee.size()}' },
      files: {
        'kind.dictionary': { as: '${key}${one}', each: "['X', 'Y']", item: 'one' },
        'other.dictionary': { when: 'rank > 1' },
      },
    },
    'schemas/shop/fee/kind.dictionary.json': { label: '${text}', choices: '${one}' },
    'schemas/shop/fee/other.dictionary.json': { label: '${families.fee[0].key}' },
    'schemas/shop/b.family.json': { template: 'fee', parameters: { key: 'b', rank: 1 } },
    'schemas/shop/a.family.json': { template: 'fee', parameters: { key: 'a', rank: 2 } },
    'schemas/shop/all.dictionary.json': {
      label: 'x',
      choices: [{ $each: 'families.fee', $as: 'fee', $value: '${fee.name}' }],
    },
  }).map(([path, data]) => ({ path, text: JSON.stringify(data) }))
  const reporter = new Reporter()
  const { files, families } = expandFamilies(
    readSources(sources, ['template', 'family', 'dictionary'], reporter),
    ['cn', 'en'],
    reporter.report,
  )
  expect(reporter.sorted()).toEqual([])
  expect(families).toEqual({
    fee: [
      { key: 'b', rank: 1, none: null, name: 'bFee', text: 'bFee of 2' },
      { key: 'a', rank: 2, none: null, name: 'aFee', text: 'aFee of 2' },
    ],
  })
  expect(Object.fromEntries(files.map(({ name, data, generated }) => [name, [data, generated?.template]]))).toEqual({
    bX: [{ label: 'bFee of 2', choices: 'X' }, 'fee/kind.dictionary'],
    bY: [{ label: 'bFee of 2', choices: 'Y' }, 'fee/kind.dictionary'],
    aX: [{ label: 'aFee of 2', choices: 'X' }, 'fee/kind.dictionary'],
    aY: [{ label: 'aFee of 2', choices: 'Y' }, 'fee/kind.dictionary'],
    other: [{ label: 'b' }, 'fee/other.dictionary'],
    all: [{ label: 'x', choices: ['bFee', 'aFee'] }, undefined],
  })
})

test('files unchanged by a change of their family stay the same objects, with updated positions', () => {
  const template = Object.entries({
    'schemas/shop/fee/fee.template.json': {
      label: { cn: '费用', en: 'Fee' },
      area: 'shop',
      parameters: { type: 'object', properties: { key: { type: 'string' }, word: { type: 'string' } } },
      files: { 'one.dictionary': { as: '${key}One' }, 'two.dictionary': { as: '${key}Two' } },
    },
    'schemas/shop/fee/one.dictionary.json': { label: '${key}' },
    'schemas/shop/fee/two.dictionary.json': { label: '${word}' },
  }).map(([path, data]) => ({ path, text: JSON.stringify(data) }))
  const expand = (family: string) => {
    const sources = [...template, { path: 'schemas/shop/a.family.json', text: family }]
    const reporter = new Reporter()
    const read = readSources(sources, ['template', 'family', 'dictionary'], reporter)
    const { files } = expandFamilies(read, ['cn', 'en'], reporter.report)
    expect(reporter.sorted()).toEqual([])
    const [one, two] = ['aOne', 'aTwo'].map((name) => files.find((file) => file.name === name)!)
    return { one, two }
  }
  const before = expand('{ "template": "fee", "parameters": { "key": "a", "word": "x" } }')
  const text = '{\n\n"template": "fee", "parameters": { "key": "a", "word": "y" } }'
  const after = expand(text)
  expect(after.one.data).toBe(before.one.data)
  expect(after.two.data).toEqual({ label: 'y' })
  expect(after.one.generated!.families).toEqual([expect.objectContaining({ text })])
})
