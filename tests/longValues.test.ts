/** No field takes long to read any input, as a pattern would that rescans a long text from every position. */
import { expect, test } from 'vitest'
import type { Field, Value } from '../engine/model/model.ts'
import { lists } from '../src/lists.ts'
import { productCatalog } from './compiledOnce.ts'

const length = 50_000
const filledWith = (piece: string) => piece.repeat(length / piece.length)
const texts = [
  ...[' ', '\t', '\n', '-', '<', '&', '.', '0', '1', 'a', '张', '%', '元', '1,', '1.', 'a@', '<b>', '<br ', '+86'].map(
    filledWith,
  ),
  `1${filledWith(' ')}x`,
  `1.${filledWith('0')}1`,
  `<a ${filledWith('x=y ')}`,
]
const values: Value[] = [...texts, texts.slice(0, 5), Array.from({ length: 10_000 }, (_, id) => ({ id }))]

const byType = new Map<string, Map<string, Field>>()
for (const { fields } of Object.values(productCatalog().entities))
  for (const field of Object.values(fields))
    byType.set(field.type, (byType.get(field.type) ?? new Map()).set(JSON.stringify(field.options), field))

/** In milliseconds: far longer than any field takes, and shorter than a pattern that rescans from every position. */
const patience = 5_000

test.each([...byType])('%s', { timeout: patience }, (type, alike) => {
  const widget = lists.widgets[type]
  const { dictionaries } = productCatalog()
  for (const { label, options } of [...alike.values()].slice(0, 3))
    for (const value of values) {
      const normal = widget.normalize(value, options as never)
      const context = { label, dictionary: (name: string) => dictionaries[name], now: () => '2026-03-15 10:00:00' }
      if (normal !== null) expect(() => widget.check(normal as never, options as never, context)).not.toThrow()
    }
})

test('many spaces between two words, on one line', { timeout: patience }, () => {
  const value = `a${' '.repeat(20_000)}b`
  const context = { label: { cn: '', en: '' }, dictionary: () => ({}) as never, now: () => '' }
  for (let reader = 0; reader < 50; reader++)
    expect(lists.widgets.textarea.text(value as never, {} as never, context, 'cn')).toBe(value)
})
