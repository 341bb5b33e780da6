import { addMonths } from '../../../engine/expression/index.ts'
import type { Foreseen } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { followBenefits } from '../salary/undeductedBenefits.ts'
import { followCosts } from '../settlement/followCosts.ts'
import { groupedBy } from './groupedBy.ts'

type Benefit = Stored<'otherBenefit'>

/** Confirmed benefits become costs of the customer: a line each for what the company and the person bear. */
export const deliverBenefits = procedure<'otherBenefit'>(async (work, { records }) => {
  await lockPeople(work, records)
  const made = await work.insert('costLine', records.flatMap(costsOf))
  const bySource = groupedBy(made, ({ sourceId }) => sourceId)
  await work.changeAll(
    'otherBenefit',
    records.map((record) => ({ record, values: { cost: bySource.get(record.benefitNo)?.at(0)?.id ?? null } })),
  )
  await followCosts(work, { made })
  await followBenefits(work, records)
})

/** Makes the approval of these people's wages wait, so that the list of amounts not deducted includes both. */
const lockPeople = (work: ProcedureWork, records: readonly Benefit[]) =>
  work.read('person', { where: { id: records.flatMap(({ person }) => person ?? []) }, fields: ['name'], lock: true })

const costsOf = (benefit: Benefit): Values<'costLine'>[] => {
  const { customer, serviceContract: contract, person, feeMonth, feeItem, benefitNo } = benefit
  return (['companyAmount', 'personalAmount'] as const)
    .filter((name) => !decimal(benefit[name]).isZero())
    .map((name) => ({
      customer,
      contract,
      person,
      billMonth: feeMonth,
      costMonth: feeMonth,
      feeItem,
      party: name === 'companyAmount' ? 'company' : 'personal',
      amount: benefit[name],
      sourceType: 'otherBenefits',
      sourceId: benefitNo,
    }))
}

/** Withdraws these costs, unless a confirmed statement has taken them. @throws Refusal notAllowed. */
export const withdrawBenefits = procedure<'otherBenefit'>(async (work, { records }) => {
  await lockPeople(work, records)
  const gone = await work.read('costLine', {
    where: { sourceType: 'otherBenefits', sourceId: records.map(({ benefitNo }) => benefitNo) },
    fields: ['statement', 'statementStage'],
    lock: true,
  })
  if (gone.some(({ statementStage }) => statementStage === 'confirmed'))
    work.refuseCall({ cn: '该福利已计入已确认的对账单', en: 'A confirmed statement already includes it' })
  await work.changeAll(
    'otherBenefit',
    records.map((record) => ({ record, values: { cost: null } })),
  )
  await work.delete('costLine', gone)
  await followCosts(work, { made: [], gone })
  await followBenefits(work, records)
})

/** The contract that bills a benefit, if not given: the customer's only one in force in its month. */
async function contractsFor(work: ProcedureWork, benefits: readonly Values<'otherBenefit'>[]) {
  const found = await work.read('contract', {
    where: { customer: benefits.flatMap(({ customer }) => customer ?? []), category: 'service', stage: 'signed' },
    fields: ['customer', 'startDate', 'endDate'],
  })
  return ({ customer, feeMonth }: Values<'otherBenefit'>): number[] =>
    found
      .filter(
        (contract) =>
          contract.customer === customer &&
          String(contract.startDate).slice(0, 7) <= String(feeMonth) &&
          String(feeMonth) <= (contract.endDate ?? '9999-12').slice(0, 7),
      )
      .map(({ id }) => id)
}

const contractProblem = (found: readonly number[]) => ({
  field: 'serviceContract' as const,
  code: 'contract',
  message:
    found.length === 0
      ? {
          cn: '该客户在费用月份没有生效的服务合同',
          en: 'No service contract of the customer is in force in the fee month',
        }
      : { cn: '该客户有多份生效的服务合同，请填写服务合同', en: 'Several service contracts are in force: choose one' },
})

/** @throws Refusal invalid if no contract was given and there is not exactly one. */
export const placeBenefits = procedure<'otherBenefit'>(async (work, { records }) => {
  const open = records.filter(({ serviceContract }) => serviceContract === null)
  if (open.length === 0) return
  const contractsOf = await contractsFor(work, open)
  const wrong = open.map(contractsOf).find((found) => found.length !== 1)
  if (wrong) work.refuse('otherBenefit', [contractProblem(wrong)])
  await work.changeAll(
    'otherBenefit',
    open.map((record) => ({ record, values: { serviceContract: contractsOf(record)[0] } })),
  )
})

/** The same for rows of a file before they are written. */
export const foreseeBenefits = procedure<'otherBenefit'>(async (work, { records }) => {
  const contractsOf = await contractsFor(work, records)
  const rows = records.map((record): Foreseen => {
    const found = contractsOf(record)
    return record.serviceContract !== null || found.length === 1 ? {} : { problems: [contractProblem(found)] }
  })
  return { rows }
})

/** The fields that the next month takes over. */
const kept = [
  'customer',
  'serviceContract',
  'person',
  'benefitType',
  'itemName',
  'supplier',
  'quantity',
  'unitPrice',
  'companyAmount',
  'taxable',
  'remark',
] as const satisfies readonly (keyof Benefit)[]

/** Copies last month's benefits as drafts; existing ones are not duplicated. */
export const copyBenefits = procedure<'otherBenefit'>(async (work, { values }) => {
  const month = values.feeMonth!
  const { customer } = values
  const benefitsOf = (feeMonth: string) =>
    work.read('otherBenefit', {
      where: { feeMonth, ...(typeof customer === 'number' && { customer }) },
      fields: kept,
      seen: true,
    })
  const keyOf = ({ customer: owner, person, benefitType, itemName }: Pick<Benefit, (typeof kept)[number]>) =>
    JSON.stringify([owner, person, benefitType, itemName])
  const there = new Set((await benefitsOf(month)).map(keyOf))
  const blank = work.blank('otherBenefit')
  const drafts = (await benefitsOf(addMonths(month, -1)!))
    .filter((benefit) => !there.has(keyOf(benefit)))
    .map((former): Values<'otherBenefit'> => ({
      ...blank,
      ...Object.fromEntries(kept.map((name) => [name, former[name]])),
      feeMonth: month,
    }))
  await work.insert('otherBenefit', drafts, { action: 'create' })
  return { succeeded: drafts.length }
})
