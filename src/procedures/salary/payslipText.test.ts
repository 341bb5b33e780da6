import { expect, it } from 'vitest'
import type { Label } from '../../../engine/model/model.ts'
import { payslipBlocks } from './payslipText.ts'

const named = (...names: string[]): Record<string, Label> =>
  Object.fromEntries(names.map((name) => [name, { cn: `<${name}>`, en: name }]))
const labels = named(
  'workDays',
  'actualDays',
  'baseSalary',
  'positionPay',
  'performancePay',
  'overtimePay',
  'bonus',
  'mealAllowance',
  'transportAllowance',
  'otherAllowance',
  'absenceDeduction',
  'otherPreTax',
  'grossPay',
  'welfarePersonalTotal',
  'currentTax',
  'afterTaxAdd',
  'afterTaxDeduct',
  'netPay',
)

it('lists earnings and deductions, without empty ones', () => {
  const blocks = payslipBlocks(
    {
      employer: '示范派遣有限公司',
      payrollMonth: '2026-02',
      payDate: '2026-03-16',
      person: { name: '林晓演', jobNumber: null, position: '测试工程师' },
      card: '3455',
      welfare: [
        { label: '养老保险', personal: '960.00' },
        { label: '工伤保险', personal: '0.00' },
      ],
      line: {
        workDays: '22.0',
        actualDays: '21.0',
        baseSalary: '12000.00',
        performancePay: '2000.00',
        bonus: '0.00',
        absenceDeduction: '545.45',
        grossPay: '13454.55',
        welfarePersonalTotal: '960.00',
        currentTax: '0.00',
        afterTaxDeduct: '100.00',
        netPay: '12394.55',
        remark: '含补发',
      },
    },
    (field) => labels[field],
  )
  expect(
    blocks.map((block) =>
      'text' in block ? block.text.map(({ text }) => text).join('') : 'rows' in block ? block.rows : null,
    ),
  ).toEqual([
    '2026年2月工资条',
    '示范派遣有限公司',
    '林晓演　测试工程师',
    [
      ['<workDays>', '22'],
      ['<actualDays>', '21'],
      ['<baseSalary>', '12000.00'],
      ['<performancePay>', '2000.00'],
      ['<absenceDeduction>', '-545.45'],
      { cells: ['<grossPay>', '13454.55'], strong: true },
      ['养老保险（个人）', '-960.00'],
      { cells: ['<welfarePersonalTotal>', '-960.00'], strong: true },
      ['<afterTaxDeduct>', '-100.00'],
      { cells: ['<netPay>', '12394.55'], strong: true },
    ],
    '发放日期：2026-03-16　尾号3455',
    '备注：含补发',
  ])
})
