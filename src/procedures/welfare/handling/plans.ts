import { type Stored, type Values, valueIn } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { plannedField, planNames, type Family } from './family.ts'

type Person = Values<'person'>

/** The ticket's extra fields from a person's record. */
export const extraValuesOf = (family: Family, moment: 'entry' | 'leave', person: Person): Record<string, Value> =>
  Object.fromEntries(
    family.personFields[moment].fields
      .map(({ key, name }): [string, Value] => [key, valueIn(person, name)])
      .filter(([, value]) => value !== null),
  )

/** The person's field that provided an extra field; undefined if none did. */
export const extraSourceField = (
  family: Family,
  moment: 'entry' | 'leave',
  person: Stored<'person'>,
  key: string,
): string | undefined =>
  family.personFields[moment].fields.find((field) => field.key === key && valueIn(person, field.name) !== null)?.name

/** Whether the family takes such people by default. */
const takes = ({ eligibility: { workerKinds, employmentForms } }: Family, person: Person): boolean =>
  (!workerKinds?.length || workerKinds.includes(String(person.workerKind))) &&
  (!employmentForms?.length || employmentForms.includes(String(person.employmentForm)))

/** Whether a person should take part: according to their record, else by the family's default. */
export const isPlanned = (family: Family, person: Person): boolean =>
  (valueIn(person, plannedField(family, 'needed')) ?? takes(family, person)) === true

/** A ticket's values from a person's record. Giving a rate or a tier of an item means taking part in it. */
export function planOf(family: Family, person: Person): Record<string, Value> {
  const planned = Object.fromEntries(
    planNames(family)
      .map((name): [string, Value] => [name, valueIn(person, plannedField(family, name))])
      .filter(([, value]) => value !== null && value !== false),
  )
  const chosen = family.items.filter(
    ({ key, mandatory }) =>
      !mandatory && [`${key}CompanyRate`, `${key}PersonalRate`, `${key}Tier`].some((name) => name in planned),
  )
  return { ...planned, ...Object.fromEntries(chosen.map(({ key }) => [`${key}On`, true])) }
}

/** The family's reason that corresponds to the person's reason for leaving. */
export const reasonFor = ({ reductionReasons }: Family, leaveReason: Value | undefined): string =>
  (reductionReasons.find(({ leaveReasons }) => leaveReasons.includes(String(leaveReason))) ?? reductionReasons[0]).value
