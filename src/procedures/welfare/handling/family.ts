import type { Currency } from '../../../../engine/widgets/money/currencies.ts'
import type { MonthInputs } from '../about.ts'
import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import type { Item } from '../contribution.ts'
import type { VestingStep } from '../vesting.ts'

/** What all families call their records, each after its own key. */
export type EnrolmentName = `${string}Enrolment`
export type AdditionName = `${string}Addition`
export type ReductionName = `${string}Reduction`
export type AdjustmentName = `${string}Adjustment`
export type BaseChangeName = `${string}BaseChange`
export type SupplementName = `${string}Supplement`
export type SupplementMonthName = `${string}SupplementMonth`
export type LineName = `${string}ExpenseLine`
export type SummaryName = `${string}ExpenseSummary`

export type Enrolment = Stored<EnrolmentName>
export type Line = Stored<LineName>
type CostLine = Stored<'costLine'>

/** What the procedures need of a family's parameters. */
export interface Family {
  key: string
  cn: string
  en: string
  short: string
  shortEn: string
  policyKind: Stored<'policy'>['kind']
  /** Of all its amounts. */
  currency: Currency
  /** False where nobody handles tickets: what employment asks for is done at once. */
  bureau: boolean
  /** What is entered for a person and a month. */
  monthInputs: (keyof MonthInputs)[]
  base: { mode: string }
  items: FamilyItem[]
  eligibility: {
    workerKinds: string[] | null
    employmentForms: string[] | null
    minServiceMonths: number | null
    requiresFamily: string | null
  }
  /** Null where the family has no base adjustment. */
  adjustTypes: { value: string; change: 'base' | 'rate' | 'tier' }[] | null
  /** Null where it has no back-payment. */
  supplementTypes: { value: string }[] | null
  /** Late fees by the day, or none. */
  supplement: { lateFee: 'none' | 'daily' } | null
  pages: { fm: string[] | null; supplement: string[] | null }
  reductionReasons: { value: string; leaveReasons: string[] }[]
  /** Names of the fields of what is chosen of items: whether to take part, rates, tiers. */
  choiceNames: string[]
  /**
   * Keys of the extra fields, what they stand on, and whether they must be filled in: `Y`, `N`, `onSuccess`, or where
   * another field has a value.
   */
  extras: { key: string; on: string[]; required: string }[]
  /** Of those on additions and reductions: the fields of a person's record that say them at the entry and the leave. */
  said: Record<'entry' | 'leave', { fields: SaidField[] }>
  account: { personalCn: string; personalEn: string; personalPattern: string }
  /** Of the numbers of its documents. */
  prefix: string
  settlement: { feeCategory: string | null }
  /** Where its costs come from, in settlement. */
  sourceType: CostLine['sourceType']
  /**
   * Which tables of the bureau there are (1, and 2 for back-payments), and up to which difference (yuan) they count as
   * the same.
   */
  expense: { masks: number[]; tolerance: string }
}

/** `key` of the ticket's field, `name` of the person's. */
export interface SaidField {
  key: string
  name: string
}

interface FamilyItem extends Item {
  /** With what policies begin: from so many years of service on, how much of the company's part is the person's. */
  vesting: VestingStep[]
  cn: string
  en: string
  rateModes: string[]
  companyRate: string | null
  personalRate: string | null
  /** A fee item of settlement, or one of its own. */
  feeItem: CostLine['feeItem'] | { value: CostLine['feeItem'] }
  /** What it insures, where other screens ask who is insured. */
  insures: 'workInjury' | null
  taxClass: string
  taxCapRate: string | null
  taxCapFixed: string | null
}

export const familiesOf = (work: ProcedureWork): readonly Family[] => work.families<Family>('handling')

/** The family that an entity such as its additions belongs to. */
export function familyOf(work: ProcedureWork, entity: string): Family {
  const found = familiesOf(work)
    .filter(({ key }) => entity.startsWith(key))
    .sort((a, b) => b.key.length - a.key.length)
    .at(0)
  if (!found) throw new Error(`No family has ${entity}`)
  return found
}

export const enrolmentOf = ({ key }: Family): EnrolmentName => `${key}Enrolment`
export const additionOf = ({ key }: Family): AdditionName => `${key}Addition`
export const reductionOf = ({ key }: Family): ReductionName => `${key}Reduction`
export const adjustmentOf = ({ key }: Family): AdjustmentName => `${key}Adjustment`
export const baseChangeOf = ({ key }: Family): BaseChangeName => `${key}BaseChange`
export const supplementOf = ({ key }: Family): SupplementName => `${key}Supplement`
export const supplementMonthOf = ({ key }: Family): SupplementMonthName => `${key}SupplementMonth`
/** No family of the product has monthly entries yet, so that only their person is typed, as that of enrolments. */
export const monthInputOf = ({ key }: Family) => `${key}MonthInput` as EnrolmentName
export const expenseLineOf = ({ key }: Family): LineName => `${key}ExpenseLine`
export const expenseSummaryOf = ({ key }: Family): SummaryName => `${key}ExpenseSummary`

/** What a person's record calls a field of the family's tickets. */
export const plannedField = ({ key }: Family, name: string): string =>
  `${key}${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** The fields of tickets that a person's record may say at the entry, and those that it may say at the leave. */
export const planNames = ({ base, choiceNames }: Family): string[] => [
  'city',
  'startMonth',
  ...(base.mode === 'none' ? [] : ['declaredBase']),
  ...choiceNames,
  'personalAccountNo',
]
export const leaveNames = ['lastMonth', 'reductionReason']
