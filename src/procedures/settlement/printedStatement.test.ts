import { expect, test } from 'vitest'
import { statementBlocks, letterBlocks, type PrintedStatement } from './printedStatement.ts'

const none = {
  wageAmount: '0.00',
  socialAmount: '0.00',
  medicalAmount: '0.00',
  fundAmount: '0.00',
  supplementAmount: '0.00',
  otherBenefitAmount: '0.00',
  serviceFeeAmount: '0.00',
  adjustAmount: '0.00',
  taxAmount: '0.00',
}
const statement: PrintedStatement = {
  customer: '启澜机械制造（演示）有限公司',
  agency: '示范人力资源有限公司',
  account: { name: '示范人力资源有限公司', number: '9900880000000012', bank: '北辰示范银行演示支行' },
  statement: {
    ...none,
    statementNo: 'ZD20260300001',
    billMonth: '2026-03',
    wageMonth: '2026-02',
    headcount: 2,
    dueDate: '2026-03-12',
    wageAmount: '14500.00',
    serviceFeeAmount: '240.00',
    totalAmount: '14740.00',
    priorBalance: '40.00',
    suggestedPayment: '14700.00',
    remark: '含春节加班',
  },
  lines: [
    { ...none, place: 2, personName: '乙', wageAmount: '6500.00', serviceFeeAmount: '120.00', totalAmount: '6620.00' },
    { ...none, place: 1, personName: '甲', wageAmount: '8000.00', serviceFeeAmount: '120.00', totalAmount: '8120.00' },
  ],
}
const labels = { statement: (field: string) => field, line: (field: string) => field }

test('a statement lists people in order, the fees that occur, the total and the bank account', () => {
  const blocks = statementBlocks(statement, labels)
  expect(blocks.find((block) => 'cells' in block)).toMatchObject({
    texts: 2,
    head: ['place', 'personName', 'wageAmount', 'serviceFeeAmount', 'totalAmount'],
    cells: [
      ['1', '甲', '8,000.00', '120.00', '8,120.00'],
      ['2', '乙', '6,500.00', '120.00', '6,620.00'],
      ['', '合计', '14,500.00', '240.00', '14,740.00'],
    ],
  })
  const text = JSON.stringify(blocks)
  for (const part of [
    `customer：${statement.customer}`,
    'dueDate：2026-03-12',
    'suggestedPayment：￥14,700.00',
    '账号：9900880000000012',
    'remark：含春节加班',
  ])
    expect(text).toContain(part)
})

test('a payment request names the amount of a month, also in words', () => {
  const budget = {
    ...none,
    budgetNo: 'YS202604001',
    month: '2026-04',
    headcount: 12,
    wageAmount: '90000.00',
    totalAmount: '100000.00',
    requestedAmount: '105000.50',
  }
  const text = JSON.stringify(letterBlocks({ ...statement, budget, date: '2026-03-15' }, (field) => field))
  for (const part of [
    '启澜机械制造（演示）有限公司：',
    '2026-04人事费用',
    '人民币105000.50元（大写：壹拾万零伍仟元伍角整）',
    '9900880000000012',
    '["wageAmount","90000.00"]',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('socialAmount')
})

test('leaves out unknown values', () => {
  const blocks = statementBlocks(
    { ...statement, account: null, statement: { ...statement.statement, dueDate: null, remark: null } },
    labels,
  )
  const text = JSON.stringify(blocks)
  for (const absent of ['dueDate', '账号', 'remark']) expect(text).not.toContain(absent)
})
