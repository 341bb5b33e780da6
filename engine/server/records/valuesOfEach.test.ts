import { describe, expect, it } from 'vitest'
import type { PromptedField, Entity, FileValue } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { Context } from '../runtime.ts'
import { numberAfter, valuesOfEach } from './valuesOfEach.ts'

/** Of widgets that accept anything. */
const context = {
  derived: {
    target: () => undefined,
    widget: () => ({ normalize: (value: unknown) => value, check: () => undefined }),
  },
} as unknown as Context
const entity = { fields: { no: {}, files: { label: { cn: '发票文件', en: 'Invoice files' } } } } as unknown as Entity
const form: PromptedField[] = [
  { field: 'no', required: true, consecutive: true },
  { field: 'files', required: false, namedBy: 'no' },
]
const named = (...names: string[]) => names.map((name): FileValue => ({ url: `/files/${name}`, name, size: 1 }))
const owners = (first: string, ...names: string[]) =>
  valuesOfEach(context, entity, form, { count: 2, values: { no: first, files: named(...names) as never } }).map(
    ({ files }) => ((files ?? []) as unknown as FileValue[]).map(({ name }) => name),
  )

describe('files named by a number', () => {
  it.each([
    ['00000099', '00000099.pdf', '00000100.pdf'],
    ['00000099', 'INV00000099.pdf', '发票00000100(1).pdf'],
    ['INV-099', 'INV-099.pdf', 'copy of inv-100.PDF'],
    ['A/7', 'A/7.pdf', 'A/8.pdf'],
  ])('%s: each record gets its own file', (first, each, other) => {
    expect(owners(first, other, each)).toEqual([[each], [other]])
  })

  it.each([
    ['00000099', '100000099.pdf'],
    ['INV-099', 'XINV-099.pdf'],
    ['INV-099', 'INV-0990.pdf'],
    ['00000099', '00000099 and 00000100.pdf'],
  ])('%s: %s matches no record, or more than one, and is refused', (first, name) => {
    expect(() => owners(first, name)).toThrow()
  })
})

it('checks a value before it is counted or searched for each record', { timeout: 5_000 }, () => {
  const long = { message: { cn: '太长', en: 'too long' }, code: 'maxLength' }
  const strict = {
    derived: { ...context.derived, widget: () => ({ normalize: (value: unknown) => value, check: () => long }) },
  }
  expect(() => valuesOfEach(strict as never, entity, form, { count: 2, values: { no: '1' } })).toThrow(Refusal)
})

it('counts on from a long number in one pass', { timeout: 5_000 }, () => {
  const text = `${'1'.repeat(50_000)}x`
  expect(numberAfter(text, 1)).toBe(text)
})
