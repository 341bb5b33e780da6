import { expect } from 'vitest'
import type { Value } from '../../engine/model/model.ts'
import type { Client, TestServer } from '../server.ts'
import type { BilledCustomer } from '../statement.ts'
import { approve, paid } from './salary.ts'

const batches = '/salary/payBatch'

let cards = 0
/** A card number with a valid check digit. */
export function cardNumber(): string {
  const body = `990001000000${String(++cards).padStart(6, '0')}`
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return body + String((10 - (sum % 10)) % 10)
}

/** Those who pay wages, with a bank. */
export interface PayDesk {
  house: TestServer
  clerk: Client
  manager: Client
  cashier: Client
  bank: number
  /** Agency → the account from which it pays wages. */
  accounts: Map<number, number>
}

export const createPayDesk = async (house: TestServer): Promise<PayDesk> => ({
  house,
  clerk: await house.user('paying', ['payrollClerk']),
  manager: await house.user('deciding', ['financeManager']),
  cashier: await house.user('cashing', ['cashier']),
  bank: await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '991100000012',
    kind: 'jointStock',
    city: '320500',
    wageSupported: true,
  }),
  accounts: new Map(),
})

export async function wageAccount({ house, bank, accounts }: PayDesk, agency: number): Promise<number> {
  const known = accounts.get(agency)
  if (known) return known
  const made = await house.create('/bank/companyAccount', {
    agency,
    accountName: '示范派遣有限公司',
    accountNo: '9900880000000029',
    bank,
    accountKind: 'general',
    purpose: ['wage'],
    payFormat: 'csv',
  })
  accounts.set(agency, made)
  return made
}

export type ToPay = BilledCustomer & { payroll: number; account: number }

/** A customer whose people have cards, and their approved payroll. */
export async function approvedPayroll(
  desk: PayDesk,
  terms: Record<string, Value> = { advanceAllowed: true, advanceLimit: '100000' },
  withCards = true,
): Promise<ToPay> {
  const { house, bank } = desk
  const customer = await paid(house, {}, { terms })
  if (withCards)
    for (const person of customer.people)
      await house.create('/bank/personBankCard', {
        person,
        accountName: person === customer.people[0] ? '员工甲' : '员工乙',
        accountNo: cardNumber(),
        bank,
        effectiveFrom: '2026-01',
      })
  await approve(house, customer.payroll, desk)
  return { ...customer, account: await wageAccount(desk, customer.agency) }
}

/** A batch of these payrolls, at the bank. @returns its id */
export async function sentBatch({ clerk, manager, cashier }: PayDesk, customers: readonly ToPay[]): Promise<number> {
  const answer = await clerk.post(`${batches}/create`, {
    values: {
      payMethod: 'bankFile',
      planPayDate: '2026-03-16',
      payrolls: customers.map(({ payroll }) => payroll),
      payerAccount: customers[0].account,
    },
  })
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })
  for (const [action, as] of [
    ['submit', clerk],
    ['approve', manager],
    ['send', cashier],
  ] as const)
    expect(await as.post(`${batches}/${action}`, { id: answer.result.id, values: {} })).toMatchObject({ code: 1 })
  return answer.result.id
}
