import type { Label } from '../../../engine/model/model.ts'
import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { type Amount, decimal, money } from '../money/amounts.ts'
import { computeAllLines } from './computeAllLines.ts'

/** Fields of a line that depend on other records, the most informative first. */
const following = [
  'afterTaxDeduct',
  'otherPreTax',
  'currentTax',
  'welfarePersonalTotal',
  'welfareCompanyTotal',
  'statutory',
  'otherDeduction',
  'cumSpecial',
  'cumOther',
  'cumIncome',
  'cumExempt',
  'cumBasic',
  'cumStatutory',
  'cumTaxable',
  'cumTax',
  'cumPaidTax',
  'benefitDeduct',
  'benefitIncome',
] as const

/** The most people named. */
const most = 5

/**
 * Checks that a payroll still matches current data rather than that at its calculation: tax withheld meanwhile,
 * welfare, deductions.
 * @throws Refusal notAllowed, naming whose line has changed, and in what.
 */
export async function refuseOutdated(
  work: ProcedureWork,
  payroll: Stored<'payroll'>,
  step: 'submit' | 'approve',
): Promise<void> {
  const changed = (await computeAllLines(work, payroll)).flatMap(({ record, fields }) => {
    const field = following.find((name) => name in fields && !isSame(record[name], fields[name] ?? null))
    return field ? [{ name: record.personName ?? '', field, was: record[field], now: fields[field] ?? null }] : []
  })
  if (changed.length === 0) return
  const shown = changed.slice(0, most).map(({ name, field, was, now }) => {
    const { cn, en } = work.labelOf('payrollLine', field)
    const [before, after] = [money(decimal(was)), money(decimal(now))]
    return { cn: `${name}（${cn}${before}应为${after}）`, en: `${name} (${en} ${before}, should be ${after})` }
  })
  const [names, more] = [shown.map(({ cn }) => cn).join('、'), changed.length - most]
  work.refuseCall({
    cn: `${names}${more > 0 ? `等${changed.length}人` : ''}的计算依据已变化，请${again[step].cn}`,
    en: `What this batch was calculated on has changed: ${shown.map(({ en }) => en).join('; ')}${
      more > 0 ? ` and ${more} more` : ''
    }. ${again[step].en}`,
  })
}

const again = {
  submit: { cn: '重新计算', en: 'Calculate it again' },
  approve: { cn: '驳回后重新计算', en: 'Reject it, then calculate it again' },
} satisfies Record<string, Label>

const isSame = (amount: Amount, other: Amount): boolean => decimal(amount).equals(decimal(other))
