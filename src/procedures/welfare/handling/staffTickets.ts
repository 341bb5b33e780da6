import {
  procedure,
  type ProcedureWork,
  Refusal,
  type Stored,
  textIn,
  type Values,
  valueIn,
} from '../../../../engine/server/procedure.ts'
import type { Label } from '../../../../engine/schema/model.ts'
import { dropEnrolments } from './additions.ts'
import {
  additionOf,
  enrolmentOf,
  familiesOf,
  leaveNames,
  plannedField,
  planNames,
  reductionOf,
  type AdditionName,
  type ReductionName,
} from './family.ts'
import { fitted, fittingFor, noAccountText } from './fitting.ts'
import { tellMissing, type Missing } from './missingTickets.ts'
import { isPlanned, planOf, saidField, saidOf } from './plans.ts'
import { goOnWith, reasonFor } from './reductions.ts'
import { refuseInsured, refuseUninsured } from './withdrawals.ts'

type Person = Stored<'person'>

/**
 * Whoever joins is to be insured: a ticket of each family that their record says, or that takes them. It has what was
 * said of it at the entry; from then on the ticket tells that. Where none can be made, whoever handles them is told.
 * @throws Refusal invalid, at the person's field that is wrong.
 */
export async function openAdditions(work: ProcedureWork, records: readonly Person[]): Promise<void> {
  const families = familiesOf(work)
  const missing: Missing[] = []
  for (const family of families) {
    const joining = records.filter((person) => person.employmentStatus !== 'cancelled' && isPlanned(family, person))
    const fitting = await fittingFor(
      work,
      family,
      joining.map(({ id }) => id),
    )
    const addition = additionOf(family)
    const { additionType } = work.blank(addition)
    for (const person of joining) {
      const plan = planOf(family, person)
      const found = fitted(fitting, { person: person.id, ...plan })
      const { city, startMonth, policy = null, account = null } = found
      if (account === null) {
        missing.push({ person, family, reasons: [policy === null ? noPolicy : noAccountText(fitting, person)] })
        continue
      }
      const values = {
        person: person.id,
        additionType,
        city,
        startMonth,
        ...('declaredBase' in found && { declaredBase: textIn(found, 'declaredBase') }),
        ...plan,
        ...saidOf(family, 'entry', person),
      }
      const fieldOf = (name: string) =>
        name in plan ? plannedField(family, name) : saidField(family, 'entry', person, name)
      const reasons = await attempt(work, addition, values, fieldOf)
      if (reasons) missing.push({ person, family, reasons })
    }
  }
  const entered = families.flatMap((family) => [
    ...['needed', ...planNames(family), ...leaveNames].map((name) => plannedField(family, name)),
    ...family.said.entry.fields.map(({ name }) => name),
    ...family.said.leave.fields.map(({ name }) => name),
  ])
  await forget(work, records, entered)
  await tellMissing(work, 'addition', missing)
}

const noPolicy: Label = { cn: '参保城市没有生效的政策', en: 'no policy is in force in the city' }
const stillOpen: Label = {
  cn: '增员任务尚未办结，请先撤销或办结',
  en: 'the addition is still open: cancel or finish it first',
}

/**
 * What is only said at an entry is not kept with the person, nor what was said at a leave before it or that does not
 * come.
 */
async function forget(work: ProcedureWork, records: readonly Person[], fields: readonly string[]): Promise<void> {
  await work.changeAll(
    'person',
    records.map((record) => ({
      record,
      values: Object.fromEntries(
        fields.filter((field) => valueIn(record, field) !== null).map((field) => [field, null]),
      ),
    })),
  )
}

/**
 * Whoever leaves is to be taken off: a ticket of each family in which they are enrolled. Where none can be made, whoever
 * handles them is told. @throws Refusal invalid, as `openAdditions`.
 */
export const openReductions = procedure<'person'>(async (work, { records }) => {
  const missing: Missing[] = []
  for (const family of familiesOf(work)) {
    const enrolled = await work.read(enrolmentOf(family), {
      where: { person: records.map(({ id }) => id), status: ['opening', 'enrolled'] },
      fields: ['person', 'startMonth', 'status'],
    })
    for (const { person: id, startMonth, status } of enrolled) {
      const person = records.find((one) => one.id === id)!
      if (status === 'opening') {
        missing.push({ person, family, reasons: [stillOpen] })
        continue
      }
      const [lastMonth, reason] = leaveNames.map((name) => textIn(person, plannedField(family, name)))
      const leaving = (person.leaveDate ?? work.today).slice(0, 7)
      const values = {
        person: person.id,
        reductionReason: reason ?? reasonFor(family, person.leaveReason),
        leaveDate: person.leaveDate,
        lastMonth: lastMonth ?? (leaving < String(startMonth) ? startMonth! : leaving),
        ...saidOf(family, 'leave', person),
      }
      const fieldOf = (name: string) =>
        name === 'lastMonth' && lastMonth !== null
          ? plannedField(family, name)
          : saidField(family, 'leave', person, name)
      const reasons = await attempt(work, reductionOf(family), values, fieldOf)
      if (reasons) missing.push({ person, family, reasons })
    }
  }
  await tellMissing(work, 'reduction', missing)
})

/**
 * As the system, whoever adds the person. What an extra field still lacks is no refusal: such a ticket is to be
 * completed. `fieldOf` tells in which field of the person something was said: what the family refuses of that is
 * refused there. @returns why the family refuses all else. @throws Refusal invalid.
 */
async function attempt<E extends AdditionName | ReductionName>(
  work: ProcedureWork,
  name: E,
  values: Values<E>,
  fieldOf: (field: string) => string | undefined,
): Promise<Label[] | undefined> {
  const set: Values<AdditionName | ReductionName> = { source: 'person' }
  try {
    await work.attempt(() => work.create<AdditionName | ReductionName>(name, values, { set }))
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const problems = error.problems ?? []
    const said = problems.flatMap((problem) => {
      const field = fieldOf(problem.field)
      return field === undefined ? [] : [{ ...problem, field }]
    })
    if (said.length > 0) work.refuse<AdditionName | ReductionName>(name, said)
    return problems.length > 0 ? problems.map(({ message }) => message) : [error.text]
  }
}

/**
 * What was opened for somebody who does not come after all is cancelled.
 * @throws Refusal notAllowed where one is under way, or has insured them.
 */
export async function dropAdditions(work: ProcedureWork, records: readonly Person[]): Promise<void> {
  await refuseInsured(work, records)
  for (const family of familiesOf(work)) {
    const name = additionOf(family)
    const open = await work.read(name, { where: idleOf(records), lock: true })
    await work.tellOnce(name, open, { action: 'cancel' }, async () => {
      await work.changeAll(
        name,
        open.map((record) => ({ record, values: { status: 'cancelled' } })),
      )
      await dropEnrolments(work, name, open)
    })
  }
}

/** The same for whoever stays. @throws Refusal notAllowed where one is under way, or has taken them off. */
export const dropReductions = procedure<'person'>(async (work, { records }) => {
  await refuseUninsured(work, records)
  const families = familiesOf(work)
  for (const family of families) {
    const name = reductionOf(family)
    const open = await work.read(name, { where: idleOf(records), lock: true })
    await work.changeAll(
      name,
      open.map((record) => ({ record, values: { status: 'cancelled' } })),
      { action: 'cancel' },
    )
    await goOnWith(
      work,
      family,
      open.map(({ enrolment }) => enrolment),
    )
  }
  await forget(
    work,
    records,
    families.flatMap((family) => [
      ...leaveNames.map((name) => plannedField(family, name)),
      ...family.said.leave.fields.map(({ name }) => name),
    ]),
  )
})

/** Tickets of these people that nobody works on. */
const idleOf = (records: readonly Person[]) => ({
  person: records.map(({ id }) => id),
  status: ['pending', 'returned', 'failed'] as const,
})
