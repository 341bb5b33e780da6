import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, filterNumber, groupThousands } from './decimal.ts'

const options = { precision: 16, scale: 4, negative: true }
const context = {
  label: { cn: '数', en: 'Number' },
  dictionary: () => {
    throw new Error('none')
  },
  now: () => '',
}
/** A value as a whole number of ten-thousandths, which needs no decimal arithmetic. */
const units = fc.bigInt({ min: -(10n ** 16n) + 1n, max: 10n ** 16n - 1n })
const written = (unit: bigint) => {
  const digits = String(unit < 0n ? -unit : unit).padStart(5, '0')
  return `${unit < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

test('every decimal that fits keeps its last digit: as typed, grouped and in a sheet', () => {
  fc.assert(
    fc.property(units, (unit) => {
      const value = written(unit)
      expect(decimal.normalize(value, options)).toBe(value)
      expect(decimal.check(value, options, context)).toBeUndefined()
      expect(decimal.normalize(groupThousands(value), options)).toBe(value)
      expect(decimal.normalize(filterNumber(value, options), options)).toBe(value)
      const { write, read } = decimal.sheet!
      expect(decimal.normalize(read(write(value, options, context, 'cn'), options, context), options)).toBe(value)
    }),
    { seed: 7 },
  )
})

test('a number input leaves a number, or the beginning of one', () => {
  const keys = fc.string({ unit: fc.constantFrom(...'0123456789.-,，。０９ex ￥') })
  fc.assert(
    fc.property(keys, fc.integer({ min: 0, max: 4 }), fc.boolean(), (typed, scale, negative) => {
      const left = filterNumber(typed, { scale, negative })
      expect(left).toMatch(/^-?(0|[1-9]\d*)?(\.\d{0,4})?$/)
      expect((left.split('.')[1] ?? '').length).toBeLessThanOrEqual(scale)
      if (!negative) expect(left).not.toContain('-')
      expect(filterNumber(left, { scale, negative })).toBe(left)
    }),
    { seed: 7 },
  )
})
