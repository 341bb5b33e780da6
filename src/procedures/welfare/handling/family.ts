import type { Currency } from '../../../../engine/widgets/money/currencies.ts'
import type { MonthInputs } from '../about.ts'
import type { FieldName, ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import type { Item } from '../contribution.ts'
import type { VestingStep } from '../vesting.ts'

/** The names of records in all families, each after the family's own key. */
export type EnrolmentName = `${string}Enrolment`
export type AdditionName = `${string}Addition`
export type ReductionName = `${string}Reduction`
export type AdjustmentName = `${string}Adjustment`
export type BaseChangeName = `${string}BaseChange`
export type BackPaymentName = `${string}Supplement`
export type BackPaymentMonthName = `${string}SupplementMonth`
export type LineName = `${string}ExpenseLine`
export type SummaryName = `${string}ExpenseSummary`

export type Enrolment = Stored<EnrolmentName>
export type Line = Stored<LineName>
type CostLine = Stored<'costLine'>

/** The parameters of a family that the procedures need. */
export interface Family {
  key: string
  cn: string
  en: string
  short: string
  shortEn: string
  policyKind: Stored<'policy'>['kind']
  /** Of all its amounts. */
  currency: Currency
  /** False if nobody handles tickets: changes of employment take effect at once. */
  bureau: boolean
  /** Monthly entries for a person. */
  monthInputs: (keyof MonthInputs)[]
  base: { mode: string }
  items: FamilyItem[]
  eligibility: {
    workerKinds: string[] | null
    employmentForms: string[] | null
    minServiceMonths: number | null
    minServiceDays: number | null
    requiresFamily: string | null
  }
  /** Null if the family has no base adjustment. */
  adjustTypes: { value: string; change: 'base' | 'rate' | 'tier' }[] | null
  /** Null if it has no back-payment. */
  supplementTypes: { value: string }[] | null
  /** Daily late fees, or none. */
  supplement: { lateFee: 'none' | 'daily' } | null
  pages: { fm: string[] | null; supplement: string[] | null }
  reductionReasons: { value: string; leaveReasons: string[] }[]
  /** Names of the fields for choices: whether to take part, rates, tiers. */
  choiceNames: string[]
  /**
   * Keys of the extra fields, the tickets they are on, and whether they are required: `Y`, `N`, `onSuccess`, or if
   * another field has a value.
   */
  extras: { key: string; on: string[]; required: string }[]
  /**
   * For those on additions and reductions: the fields of a person's record that provide them when joining and leaving.
   */
  personFields: Record<'entry' | 'leave', { fields: PersonField[] }>
  account: { personalCn: string; personalEn: string; personalPattern: string }
  /** The prefix of its document numbers. */
  prefix: string
  settlement: { feeCategory: string | null }
  /** The source of its costs in settlement. */
  sourceType: CostLine['sourceType']
  /**
   * The types of bureau statements (1, and 2 for back-payments), and the difference (yuan) up to which figures count as
   * equal.
   */
  expense: { masks: number[]; tolerance: string }
}

/** `key` of the ticket's field, `name` of the person's. */
export interface PersonField {
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
  /** A fee item of settlement, or the family's own. */
  feeItem: CostLine['feeItem'] | { value: CostLine['feeItem'] }
  /** The risk that it insures, where other screens need it. */
  insures: 'workInjury' | null
  taxClass: string
  taxCapRate: string | null
  taxCapFixed: string | null
}

export const familiesOf = (work: ProcedureWork): readonly Family[] => work.families<Family>('handling')

/** The family of an entity such as its additions. */
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
export const backPaymentOf = ({ key }: Family): BackPaymentName => `${key}Supplement`
export const backPaymentMonthOf = ({ key }: Family): BackPaymentMonthName => `${key}SupplementMonth`
/** No family of the product has monthly entries yet, so only their person is typed, like that of enrolments. */
export const monthInputOf = ({ key }: Family) => `${key}MonthInput` as EnrolmentName
/** No family of the product lacks adjustments, so these are typed like adjustments, with the same former place. */
export const householdChangeOf = ({ key }: Family) => `${key}HouseholdChange` as AdjustmentName
export const expenseLineOf = ({ key }: Family): LineName => `${key}ExpenseLine`
export const expenseSummaryOf = ({ key }: Family): SummaryName => `${key}ExpenseSummary`

/** The person's fields for the enrolment in each family. */
export type EnrolledIn = Extract<FieldName<'person'>, EnrolmentName>
export const enrolledIn = (family: string) => `${family}Enrolment` as EnrolledIn

/** The name of a ticket's field on a person's record. */
export const plannedField = ({ key }: Family, name: string): string =>
  `${key}${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** The fields of tickets that a person's record may provide when joining, and those when leaving. */
export const planNames = ({ base, choiceNames }: Family): string[] => [
  'city',
  'startMonth',
  ...(base.mode === 'none' ? [] : ['declaredBase']),
  ...choiceNames,
  'personalAccountNo',
]
export const leaveNames = ['lastMonth', 'reductionReason']
