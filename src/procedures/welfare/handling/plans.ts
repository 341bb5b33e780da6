import { type Stored, type Values, valueIn } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { plannedField, planNames, type Family } from './family.ts'

type Person = Values<'person'>

/** What a person's record says of the ticket's extra fields. */
export const saidOf = (family: Family, moment: 'entry' | 'leave', person: Person): Record<string, Value> =>
  Object.fromEntries(
    family.said[moment].fields
      .map(({ key, name }): [string, Value] => [key, valueIn(person, name)])
      .filter(([, value]) => value !== null),
  )

/** The person's field in which an extra field was said; undefined where nothing was. */
export const saidField = (
  family: Family,
  moment: 'entry' | 'leave',
  person: Stored<'person'>,
  key: string,
): string | undefined =>
  family.said[moment].fields.find((field) => field.key === key && valueIn(person, field.name) !== null)?.name

/** Does the family take such people by itself? */
const takes = ({ eligibility: { workerKinds, employmentForms } }: Family, person: Person): boolean =>
  (!workerKinds?.length || workerKinds.includes(String(person.workerKind))) &&
  (!employmentForms?.length || employmentForms.includes(String(person.employmentForm)))

/** Is somebody to take part: as their record says, else as the family takes them. */
export const isPlanned = (family: Family, person: Person): boolean =>
  (valueIn(person, plannedField(family, 'needed')) ?? takes(family, person)) === true

/** What a person's record says of the family's ticket. Whoever names a rate or a tier of an item takes part in it. */
export function planOf(family: Family, person: Person): Record<string, Value> {
  const said = Object.fromEntries(
    planNames(family)
      .map((name): [string, Value] => [name, valueIn(person, plannedField(family, name))])
      .filter(([, value]) => value !== null && value !== false),
  )
  const chosen = family.items.filter(
    ({ key, mandatory }) =>
      !mandatory && [`${key}CompanyRate`, `${key}PersonalRate`, `${key}Tier`].some((name) => name in said),
  )
  return { ...said, ...Object.fromEntries(chosen.map(({ key }) => [`${key}On`, true])) }
}

/** The reason of the family that goes with the person's reason for leaving. */
export const reasonFor = ({ reductionReasons }: Family, leaveReason: Value | undefined): string =>
  (reductionReasons.find(({ leaveReasons }) => leaveReasons.includes(String(leaveReason))) ?? reductionReasons[0]).value
