import { expect, it } from 'vitest'
import { averageIncome, bestTemplate, letterValues, type LetterFacts } from './letterText.ts'

const wages = [
  { month: '2025-02', amount: '9000.00' },
  { month: '2025-03', amount: '7000.00' },
  { month: '2026-01', amount: '8000.01' },
  { month: '2026-02', amount: '8000.00' },
  { month: '2026-02', amount: '500.00' },
  { month: '2026-03', amount: '99999.00' },
]

it('the average income is the mean of the earlier months with any payment', () => {
  expect(averageIncome(wages, 12, '2026-03')).toBe('7833.34')
  expect(averageIncome(wages, 2, '2026-03')).toBe('8250.01')
  expect(averageIncome(wages, 36, '2026-03')).toBe('8125.00')
  expect(averageIncome([], 12, '2026-03')).toBeNull()
})

it("the customer's own template has priority over the newest general one", () => {
  const templates = [
    { id: 1, customers: [7] },
    { id: 2, customers: null },
    { id: 3, customers: [8] },
    { id: 4, customers: [] },
  ]
  expect([7, 8, 9, null].map((customer) => bestTemplate(templates as never, customer)?.id)).toEqual([1, 3, 4, 4])
})

it('a letter shows amounts in figures and words, and dates in its language', () => {
  const dictionary = (name: string) =>
    ({ choices: name === 'gender' ? [{ value: 'male', label: { cn: '男', en: 'Male' } }] : [] }) as never
  const facts: LetterFacts = {
    letter: { language: 'zh', averageIncome: '12345.60', issueDate: '2026-03-05' },
    person: { name: '周演', gender: 'male', entryDate: '2024-04-01' },
    customer: { corporateName: '启澜' },
    agency: null,
    dictionary,
  }
  expect(letterValues(facts)).toMatchObject({
    'person.gender': '男',
    'person.entryDate': '2024年4月1日',
    'person.leaveDate': null,
    'customer.name': '启澜',
    'agency.name': null,
    'proof.averageIncome': '12,345.60',
    'proof.averageIncomeUpper': '壹万贰仟叁佰肆拾伍元陆角整',
    'proof.annualIncome': '148,147.20',
    'proof.issueDate': '2026年3月5日',
  })
  expect(letterValues({ ...facts, letter: { ...facts.letter, language: 'en' } })).toMatchObject({
    'person.gender': 'Male',
    'person.entryDate': 'April 1, 2024',
  })
})
