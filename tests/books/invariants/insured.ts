import { Decimal } from 'decimal.js'
import { chargeOf, families, kindOf, nothing, type Charge, type Family } from '../model/amounts.ts'
import { monthsBetween } from '../model/months.ts'
import { coverOf, householdOf, isOpen, planned } from '../model/tables.ts'
import { Broken, type World } from '../world.ts'
import { idOf, type Books } from './Books.ts'

/**
 * In every month and family, each person is insured as agreed or has an open ticket, and nobody else is insured; the
 * expense lines together charge what the policy in force says.
 */
export function insured(books: Books, world: World): void {
  for (const family of families) {
    const charged = chargedOf(books, family)
    world.model.people.forEach((person, index) => {
      const cover = coverOf(world.model, index, family)
      const plan = planned(world.model, index, family, world.month)
      for (const month of monthsBetween('2026-01', world.month)) {
        const who = `P${index} in ${family} of ${month}`
        const waits = isOpen(world.model, index, family, plan.has(month) ? ['Addition', 'Supplement'] : ['Reduction'])
        if (!waits && plan.has(month) && !cover.has(month)) throw new Broken('insured', `${who} is not insured`)
        if (!waits && !plan.has(month) && cover.has(month))
          throw new Broken('insured outside employment', `${who} is insured and should not be`)
        compare(charged.get(`${person.id} ${month}`) ?? nothing(), dueOf(world, { index, family, month }), who)
      }
    })
  }
}

function dueOf(world: World, { index, family, month }: { index: number; family: Family; month: string }): Charge[] {
  const base = coverOf(world.model, index, family).get(month)
  if (base === undefined) return [nothing()]
  // A new policy version takes effect with its own ticket, or with another open adjustment.
  const waiting = isOpen(world.model, index, family, ['Adjustment'])
  return policiesOf(world, { index, family, month }).flatMap((versions) => [
    chargeOf(family, base, versions, month),
    ...(waiting && versions.length > 1 ? [chargeOf(family, base, versions.slice(0, -1), month)] : []),
  ])
}

/** The policy for what the person was insured as; either, for months before any enrolment. */
function policiesOf({ model }: World, { index, family, month }: { index: number; family: Family; month: string }) {
  const { social, rural, fund } = model.policies
  if (kindOf(family) === 'fund') return [fund]
  const household = householdOf(model, index, family).get(month)
  return household === undefined ? [social, rural] : [household === 'localRural' ? rural : social]
}

function compare(charged: Charge, due: Charge[], who: string): void {
  if (due.some(({ company, personal }) => company.eq(charged.company) && personal.eq(charged.personal))) return
  const text = ({ company, personal }: Charge) => `${company.toFixed(2)} + ${personal.toFixed(2)}`
  throw new Broken('charged', `${who} is charged ${text(charged)} and should be ${text(due[0])}`)
}

/** All expense lines, summed by person and by the month they belong to. */
function chargedOf({ expenses }: Books, family: Family): Map<string, Charge> {
  const sums = new Map<string, Charge>()
  for (const { person, belongMonth, companyTotal, personalTotal, lineStatus } of expenses[family]) {
    if (lineStatus === 'void') continue
    const key = `${idOf(person)} ${String(belongMonth)}`
    const { company, personal } = sums.get(key) ?? nothing()
    sums.set(key, {
      company: company.plus(new Decimal(String(companyTotal))),
      personal: personal.plus(new Decimal(String(personalTotal))),
    })
  }
  return sums
}
