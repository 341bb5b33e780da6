import { describe, expect, test } from 'vitest'
import { formatAmount, money } from './money.ts'

const context = {
  label: { cn: '金额', en: 'Amount' },
  dictionary: () => ({}) as never,
  now: () => '2026-01-01 00:00:00',
}
const text = (value: string, currency?: 'HKD' | 'EUR' | 'JPY' | 'CHF') =>
  money.text(value, { negative: false, currency }, context, 'en')

describe('an amount in another currency', () => {
  test('has its sign and its number of digits', () => {
    expect(text('1500.00')).toBe('￥1,500.00')
    expect(text('1500.00', 'HKD')).toBe('HK$1,500.00')
    expect(text('-5.50', 'EUR')).toBe('-€5.50')
    expect(text('1500.00', 'JPY')).toBe('JP¥1,500')
    expect(text('7', 'CHF')).toBe('CHF 7.00')
  })

  test('is read with its own sign or code, and no other', () => {
    const read = (value: string) => money.normalize(value, { negative: false, currency: 'HKD' })
    expect(['HK$1,500', 'hkd 1500', '-HK$5', '1500 HKD'].map(read)).toEqual(['1500.00', '1500.00', '-5.00', '1500.00'])
    expect(read('￥1500')).toBe('￥1500')
    expect(money.normalize('US$5', { negative: false })).toBe('US$5')
  })

  test('is whole in a currency without a smaller unit', () => {
    const yen = { negative: false, currency: 'JPY' } as const
    expect(money.normalize('1500.00', yen)).toBe('1500')
    expect(money.column(yen)).toBe('numeric(16,0)')
    expect(money.check('1500.5', yen, context)).toMatchObject({ code: 'scale' })
  })

  test('has its currency in spreadsheets, where yuan remain plain numbers', () => {
    const format = (currency?: 'HKD' | 'JPY') => money.sheet!.format!({ negative: false, currency })
    expect([format(), format('HKD'), format('JPY')]).toEqual(['#,##0.00', '"HK$"#,##0.00', '"JP¥"#,##0'])
  })

  test('adds up only with its own currency', () => {
    expect(money.unit!({ negative: false })).toBe('CNY')
    expect(money.unit!({ negative: false, currency: 'HKD' })).toBe('HKD')
  })

  test('is written in the same way in texts', () => {
    expect([formatAmount('-1500.5'), formatAmount('1500.5', 'JPY')]).toEqual(['-￥1,500.50', 'JP¥1,501'])
  })
})
