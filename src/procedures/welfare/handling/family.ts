import type { Context } from '../../../../engine/server/runtime.ts'
import type { Item } from '../contribution.ts'

/** What the procedures need of a family's parameters. */
export interface Family {
  key: string
  cn: string
  en: string
  policyKind: string
  base: { mode: string }
  items: (Item & { cn: string; en: string; rateModes: string[]; companyRate: string | null; personalRate: string | null })[]
  eligibility: { workerKinds: string[] | null; employmentForms: string[] | null; minServiceMonths: number | null; requiresFamily: string | null }
  reductionReasons: { value: string; leaveReasons: string[] }[]
  /** Keys of the extra fields, and what they stand on. */
  extras: { key: string; on: string[] }[]
  account: { personalCn: string; personalEn: string; personalPattern: string }
}

export const familiesOf = (context: Context): Family[] => (context.derived.catalog.families.handling ?? []) as unknown as Family[]

/** The family that an entity such as its additions belongs to. */
export function familyOf(context: Context, entity: string): Family {
  const found = familiesOf(context).filter(({ key }) => entity.startsWith(key)).sort((a, b) => b.key.length - a.key.length).at(0)
  if (!found) throw new Error(`No family has ${entity}`)
  return found
}

export const enrolmentOf = ({ key }: Family): string => `${key}Enrolment`
export const additionOf = ({ key }: Family): string => `${key}Addition`
export const reductionOf = ({ key }: Family): string => `${key}Reduction`
