import { describe, expect, it } from 'vitest'
import { draftLines, passThroughParts, passThroughShare, type InvoicedStatement } from './invoiceDraft.ts'
import { decimal } from '../money/amounts.ts'
import { lineTaxes, type InvoiceTerms } from './invoiceTax.ts'

const tax = (
  amount: string,
  taxRate: string,
  terms: Partial<InvoiceTerms> & { taxMethod: string },
  itemName = 'dispatchService',
) => lineTaxes([{ itemName, amount, taxRate }], { diffMode: null, deduction: null, ...terms })[0]
const net = (amount: string, ...rest: [string, Partial<InvoiceTerms> & { taxMethod: string }]) =>
  decimal(amount)
    .minus(tax(amount, ...rest))
    .toFixed(2)

describe('the check sample', () => {
  const simple = { taxMethod: 'diffSimple', diffMode: 'single', deduction: '19343.00' }
  it('diffSimple, one invoice with a deduction', () => {
    expect(tax('19596.44', '5', simple)).toBe('12.07')
    expect(net('19596.44', '5', simple)).toBe('19584.37')
  })
  it('fullGeneral', () => {
    expect(tax('20757.98', '6', { taxMethod: 'fullGeneral' })).toBe('1174.98')
    expect(net('20757.98', '6', { taxMethod: 'fullGeneral' })).toBe('19583.00')
  })
  it('diffGeneral, inclusive', () => {
    expect(tax('19583.00', '6', { taxMethod: 'diffGeneral', diffMode: 'single', deduction: '19343.00' })).toBe('13.58')
  })
})

describe('the tax of the lines', () => {
  it('is zero for exempt items, and for a pass-through amount invoiced separately', () => {
    expect(tax('500.00', '6', { taxMethod: 'exempt' })).toBe('0.00')
    expect(tax('19343.00', '6', { taxMethod: 'diffSimple', diffMode: 'split' }, 'passThroughPay')).toBe('0.00')
  })

  it('is on the whole amount of a fee invoiced separately, whatever the deduction', () => {
    expect(tax('253.44', '5', { taxMethod: 'diffSimple', diffMode: 'split', deduction: '200.00' })).toBe('12.07')
  })

  it('is computed line by line, with the deduction spread over the lines', () => {
    const lines = [
      { itemName: 'dispatchService', amount: '100.00', taxRate: '5' },
      { itemName: 'agencyService', amount: '200.00', taxRate: '5' },
    ]
    // 100.00 − 33.33 and 200.00 − 66.67.
    expect(lineTaxes(lines, { taxMethod: 'diffSimple', diffMode: 'single', deduction: '100.00' })).toEqual([
      '3.17',
      '6.35',
    ])
    expect(lineTaxes(lines, { taxMethod: 'fullSimple', diffMode: null, deduction: null })).toEqual(['4.76', '9.52'])
  })

  it('is negative on a red invoice, with the same cents', () => {
    expect(tax('-19596.44', '5', { taxMethod: 'diffSimple', diffMode: 'single', deduction: '-19343.00' })).toBe(
      '-12.07',
    )
  })
})

const statement = (rest: Partial<InvoicedStatement> = {}): InvoicedStatement => ({
  amount: '19596.44',
  totalAmount: '19596.44',
  passThroughAmount: '19343.00',
  taxRate: '5',
  serviceType: 'dispatch',
  ...rest,
})

describe('a draft', () => {
  const single = { taxMethod: 'diffSimple', diffMode: 'single' }
  it('has an item for each kind of service', () => {
    const statements = [
      statement(),
      statement({ serviceType: 'outsourcing', amount: '10.00' }),
      statement({ serviceType: 'jobOutsourcing', amount: '5.50' }),
      statement({ serviceType: null, amount: '1.00' }),
    ]
    expect(draftLines(statements, single)).toEqual([
      { itemName: 'dispatchService', amount: '19596.44', taxRate: '5' },
      { itemName: 'hrOutsourcing', amount: '15.50', taxRate: '5' },
      { itemName: 'serviceFee', amount: '1.00', taxRate: '5' },
    ])
  })

  it('has the pass-through amount as a separate item', () => {
    expect(draftLines([statement()], { taxMethod: 'diffSimple', diffMode: 'split' })).toEqual([
      { itemName: 'dispatchService', amount: '253.44', taxRate: '5' },
      { itemName: 'passThroughPay', amount: '19343.00', taxRate: '0' },
    ])
  })

  it('has no tax rate if it is exempt', () => {
    expect(draftLines([statement()], { taxMethod: 'exempt', diffMode: null })[0].taxRate).toBe('0')
  })

  it.each([
    ['19596.44', '19343.00'],
    ['9798.22', '9671.50'],
    ['0.01', '0.01'],
    ['0.00', '0.00'],
  ])('of %s invoiced, collects %s for others', (amount, expected) => {
    expect(passThroughShare(statement({ amount })).toFixed(2)).toBe(expected)
  })

  it('has no pass-through without costs for others, and no more than is invoiced', () => {
    expect(passThroughShare(statement({ passThroughAmount: '-5.00' })).toFixed(2)).toBe('0.00')
    expect(
      passThroughShare(statement({ amount: '100.00', totalAmount: '90.00', passThroughAmount: '95.00' })).toFixed(2),
    ).toBe('100.00')
  })

  it('gives the pass-through invoice its part of each statement', () => {
    const parts = (statements: InvoicedStatement[], whole: string) =>
      passThroughParts(statements, decimal(whole))?.map((part) => part.toFixed(2))
    expect(parts([statement(), statement({ amount: '9798.22' })], '29014.50')).toEqual(['19343.00', '9671.50'])
    expect(
      parts(
        [
          statement({ passThroughAmount: '0.00', amount: '30.00' }),
          statement({ passThroughAmount: '0.00', amount: '60.00' }),
        ],
        '30.00',
      ),
    ).toEqual(['10.00', '20.00'])
    expect(parts([statement({ amount: '100.00' })], '100.01')).toBeUndefined()
  })
})
