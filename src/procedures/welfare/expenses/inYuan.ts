import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { textIn } from '../../../../engine/server/procedure.ts'
import { homeCurrency } from '../../../../engine/widgets/money/currencies.ts'
import { decimal, money, round2, type Amount } from '../../money/amounts.ts'
import type { Family, Line } from '../handling/family.ts'

/** Converts an amount of a line to yuan. */
export type InYuan = <A extends Amount>(line: Line, amount: A) => A

/**
 * How settlement and payroll convert the amounts of a family's lines: each one separately, at the rate of the line's
 * policy.
 * @throws Refusal notAllowed, if the policy has no rate because it is older than the family's currency.
 */
export async function inYuan(work: ProcedureWork, family: Family, lines: readonly Line[]): Promise<InYuan> {
  if (family.currency === homeCurrency) return (_, amount) => amount
  // A line created only by the bureau's table has no policy, so the policy of its account applies.
  const accounts = await work.byId(
    'policyAccount',
    lines.flatMap(({ policy, account }) => (policy === null ? account : null)),
    { fields: ['policy'] },
  )
  const policyOf = ({ policy, account }: Line) => policy ?? accounts.get(account!)?.policy ?? null
  const policies = await work.byId('policy', lines.map(policyOf))
  // Not checked by type, because no family of the product is paid in another currency.
  const exchangeRate: string = `${family.key}ExchangeRate`
  return (line, amount) => {
    if (amount === null) return amount
    const policy = policies.get(policyOf(line)!)
    const rate = policy ? textIn(policy, exchangeRate) : null
    if (rate === null)
      work.refuseCall({
        cn: `政策“${policy?.name ?? ''}”没有${family.currency}汇率，${family.cn}的费用不能折算为人民币`,
        en: `The policy "${policy?.name ?? ''}" has no rate for ${family.currency}: ${family.en} cannot be converted to yuan`,
      })
    return money(round2(decimal(amount).times(rate).dividedBy(100))) as typeof amount
  }
}
