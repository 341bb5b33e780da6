import type { Context } from '../../../../engine/server/runtime.ts'
import type { Item } from '../contribution.ts'

/** What the procedures need of a family's parameters. */
export interface Family {
  key: string
  cn: string
  en: string
  policyKind: string
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
  sourceType: string
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
  cn: string
  en: string
  rateModes: string[]
  companyRate: string | null
  personalRate: string | null
  /** A fee item of settlement, or one of its own. */
  feeItem: string | { value: string }
  /** What it insures, where other screens ask who is insured. */
  insures: 'workInjury' | null
  taxClass: string
  taxCapRate: string | null
  taxCapFixed: string | null
}

export const familiesOf = (context: Context): Family[] =>
  (context.derived.catalog.families.handling ?? []) as unknown as Family[]

/** The family that an entity such as its additions belongs to. */
export function familyOf(context: Context, entity: string): Family {
  const found = familiesOf(context)
    .filter(({ key }) => entity.startsWith(key))
    .sort((a, b) => b.key.length - a.key.length)
    .at(0)
  if (!found) throw new Error(`No family has ${entity}`)
  return found
}

export const enrolmentOf = ({ key }: Family): string => `${key}Enrolment`
export const additionOf = ({ key }: Family): string => `${key}Addition`
export const reductionOf = ({ key }: Family): string => `${key}Reduction`
export const adjustmentOf = ({ key }: Family): string => `${key}Adjustment`
export const baseChangeOf = ({ key }: Family): string => `${key}BaseChange`
export const supplementOf = ({ key }: Family): string => `${key}Supplement`
export const supplementMonthOf = ({ key }: Family): string => `${key}SupplementMonth`
export const expenseLineOf = ({ key }: Family): string => `${key}ExpenseLine`
export const expenseSummaryOf = ({ key }: Family): string => `${key}ExpenseSummary`

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
