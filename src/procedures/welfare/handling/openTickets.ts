import {
  type ProcedureWork,
  Refusal,
  type Stored,
  textIn,
  type Values,
  valueIn,
} from '../../../../engine/server/procedure.ts'
import type { Label } from '../../../../engine/model/model.ts'
import { openStates, paidUntil, presentEnrolments } from './enrolments.ts'
import {
  additionOf,
  enrolmentOf,
  leaveNames,
  plannedField,
  planNames,
  reductionOf,
  type AdditionName,
  type Enrolment,
  type Family,
  type ReductionName,
} from './family.ts'
import { computeAddition, proposedStart, startSinceHire } from './computeAddition.ts'
import { readTicketContext } from './ticketContext.ts'
import { formerAmong } from './formerAdditions.ts'
import { noAccountText } from './accountFor.ts'
import { notifyMissing, type Missing } from './missingTickets.ts'
import { finishAtOnce } from './withoutBureau.ts'
import { isPlanned, planOf, reasonFor, extraSourceField, extraValuesOf } from './plans.ts'

// The tickets generated in a family for people who join, leave, or did so while another ticket of theirs was open.

type Person = Stored<'person'>

/**
 * Additions for people who should take part, not before the month `from`. `haveWaited`: another ticket had to be finished
 * first. @returns those that could not be created
 */
export async function openAdditionsOf(
  work: ProcedureWork,
  family: Family,
  people: readonly Person[],
  { from = () => '', haveWaited = false }: { from?: (person: Person) => string; haveWaited?: boolean } = {},
): Promise<Missing[]> {
  const joining = people.filter((person) => isPlanned(family, person))
  const context = await readTicketContext(
    work,
    family,
    joining.map(({ id }) => id),
  )
  const addition = additionOf(family)
  const { additionType } = work.blank(addition)
  const enrolled = await presentEnrolments(
    work,
    family,
    joining.map(({ id }) => id),
  )
  const paid = await paidUntil(
    work,
    family,
    joining.map(({ id }) => id),
  )
  const begun = await work.read(addition, {
    where: { person: joining.map(({ id }) => id), status: openStates },
  })
  const former = await formerAmong(work, begun)
  const missing: Missing[] = []
  const wanted: Wanted<AdditionName>[] = []
  for (const person of joining) {
    const other = begun.find((each) => each.person === person.id)
    if (other && !former.includes(other)) {
      missing.push({ person, family, reasons: [handledAlready(other)] })
      continue
    }
    if (other || enrolled.get(person.id)?.status === 'stopping') {
      missing.push({ person, family, reasons: [other ? beingHandled(other) : stillEnding], waits: true })
      continue
    }
    const plan = planOf(family, person)
    const startOf = haveWaited ? startSinceHire : proposedStart
    const found = computeAddition(context, { person: person.id, ...plan }, startOf)
    const { city, startMonth, policy = null, account = null } = found
    if (account === null) {
      missing.push({ person, family, reasons: [policy === null ? noPolicy : noAccountText(context, person)] })
      continue
    }
    const values = {
      person: person.id,
      additionType,
      city,
      ...('declaredBase' in found && { declaredBase: textIn(found, 'declaredBase') }),
      ...plan,
      ...extraValuesOf(family, 'entry', person),
      startMonth: [String(startMonth), from(person), paid.get(person.id) ?? ''].sort().at(-1)!,
    }
    const fieldOf = (name: string) =>
      name in plan ? plannedField(family, name) : extraSourceField(family, 'entry', person, name)
    wanted.push({ person, values, fieldOf })
  }
  return [...missing, ...(await openEach({ work, family, name: addition }, wanted))]
}

/** Reductions for people who are enrolled. @returns those that could not be created */
export async function openReductionsOf(
  work: ProcedureWork,
  family: Family,
  people: readonly Person[],
): Promise<Missing[]> {
  const missing: Missing[] = []
  const wanted: Wanted<ReductionName>[] = []
  const enrolled = await work.read(enrolmentOf(family), {
    where: { person: people.map(({ id }) => id), status: ['opening', 'enrolled', 'stopping'] },
    fields: ['person', 'startMonth', 'status'],
  })
  missing.push(...(await followLeave(work, family, people, enrolled)))
  for (const { person: id, startMonth, status } of enrolled) {
    const person = people.find((each) => each.id === id)!
    if (status === 'opening') {
      missing.push({ person, family, reasons: [stillOpen] })
      continue
    }
    if (status === 'stopping') continue
    const values = { person: person.id, ...leavingWith(work, family, person, String(startMonth)) }
    const hasLastMonth = textIn(person, plannedField(family, 'lastMonth')) !== null
    const fieldOf = (name: string) =>
      name === 'lastMonth' && hasLastMonth
        ? plannedField(family, name)
        : extraSourceField(family, 'leave', person, name)
    wanted.push({ person, values, fieldOf })
  }
  return [...missing, ...(await openEach({ work, family, name: reductionOf(family) }, wanted))]
}

/**
 * Reductions that were made before the offboarding follow it. @returns those that the bureau already has, with other
 * values
 */
async function followLeave(
  work: ProcedureWork,
  family: Family,
  people: readonly Person[],
  enrolled: readonly Pick<Enrolment, 'person' | 'startMonth' | 'status'>[],
): Promise<Missing[]> {
  const ending = enrolled.filter(({ status }) => status === 'stopping')
  const name = reductionOf(family)
  const open = await work.read(name, {
    where: { person: ending.map(({ person }) => person), status: openStates },
    lock: true,
  })
  const wanted = open.map((ticket) => {
    const person = people.find(({ id }) => id === ticket.person)!
    const { startMonth } = ending.find((each) => each.person === ticket.person)!
    return { record: ticket, person, values: leavingWith(work, family, person, String(startMonth)) }
  })
  await work.changeAll(
    name,
    // From now on it belongs to the offboarding.
    wanted
      .filter(({ record }) => record.status !== 'processing')
      .map(({ record, values }) => ({ record, values: { ...values, source: 'person' as const } })),
  )
  return wanted.flatMap(({ record, person, values }) =>
    record.status === 'processing' && record.lastMonth !== values.lastMonth
      ? [{ person, family, reasons: [otherMonth(record)] }]
      : [],
  )
}

/** A ticket's values from a person's offboarding. */
export function leavingWith(work: ProcedureWork, family: Family, person: Person, startMonth: string) {
  const [lastMonth, reason] = leaveNames.map((name) => textIn(person, plannedField(family, name)))
  const leaving = (person.leaveDate ?? work.today).slice(0, 7)
  return {
    reductionReason: reason ?? reasonFor(family, person.leaveReason),
    leaveDate: person.leaveDate,
    lastMonth: lastMonth ?? (leaving < startMonth ? startMonth : leaving),
    ...extraValuesOf(family, 'leave', person),
  }
}

/** People who left while their addition was open get a reduction as soon as it is handled. */
export async function reduceLeavers(work: ProcedureWork, family: Family, persons: readonly number[]): Promise<void> {
  const left = await work.read('person', { where: { id: persons, employmentStatus: ['leaving', 'left'] } })
  await notifyMissing(work, 'reduction', await openReductionsOf(work, family, left))
}

const noPolicy: Label = { cn: '参保城市没有生效的政策', en: 'no policy is in force in the city' }
const stillEnding: Label = {
  cn: '上一段任职的减员任务尚未办结，办结后自动生成增员',
  en: 'the reduction of the former employment is still open: the addition follows when it is finished',
}
const beingHandled = ({ ticketNo }: Pick<Stored<AdditionName>, 'ticketNo'>): Label => ({
  cn: `前一段任职的增员${ticketNo}正在办理：请先退回并撤销，撤销后自动生成增员`,
  en: `addition ${ticketNo} of the former employment is being handled: have it returned and cancel it, and the addition follows`,
})
/** For the same customer and contract, in the same month: there is nothing else to insure. */
const handledAlready = ({ ticketNo }: Pick<Stored<AdditionName>, 'ticketNo'>): Label => ({
  cn: `增员${ticketNo}正在办理，办结后即参保；参保月份或基数不符的，请先退回修改`,
  en: `addition ${ticketNo} is being handled and insures them: have it returned first if its month or base is not right`,
})
const stillOpen: Label = {
  cn: '增员任务尚未办结：办结后自动生成减员，不需参保的请撤销',
  en: 'the addition is still open: the reduction follows when it is finished; cancel it if nothing is to be insured',
}

const otherMonth = ({ ticketNo, lastMonth }: Stored<ReductionName>): Label => ({
  cn: `减员${ticketNo}正在办理，停缴月份为${lastMonth}：需修改的，请先退回`,
  en: `reduction ${ticketNo} is being handled with last paid month ${lastMonth}: have it returned first to change it`,
})

/** A ticket for a person. */
interface Wanted<E extends AdditionName | ReductionName> {
  person: Person
  values: Values<E>
  /** Maps a ticket's field to the person's field that provided it, at which the family's refusals are reported. */
  fieldOf(field: string): string | undefined
}

/**
 * Creates tickets with the rights of the system, whoever adds the person. A missing extra field is not a refusal: such
 * a ticket is to be completed. @returns those refused for any other reason, with it. @throws Refusal invalid.
 */
async function openEach<E extends AdditionName | ReductionName>(
  { work, family, name }: { work: ProcedureWork; family: Family; name: E },
  wanted: readonly Wanted<E>[],
): Promise<Missing[]> {
  const set: Values<AdditionName | ReductionName> = { source: 'person' }
  const made = await work.createEach<AdditionName | ReductionName>(
    name,
    wanted.map(({ values }) => values),
    { set },
  )
  if (!family.bureau)
    await finishAtOnce(
      work,
      { family, name },
      wanted.flatMap(({ person }, index) => {
        const id = made[index]
        return id instanceof Refusal ? [] : [{ id, person }]
      }),
    )
  const missing: Missing[] = []
  for (const [index, { person, fieldOf }] of wanted.entries()) {
    const outcome = made[index]
    if (!(outcome instanceof Refusal)) continue
    const problems = outcome.problems ?? []
    const personProblems = problems.flatMap((problem) => {
      const field = fieldOf(problem.field)
      return field === undefined ? [] : [{ ...problem, field }]
    })
    if (personProblems.length > 0) work.refuse<AdditionName | ReductionName>(name, personProblems)
    missing.push({
      person,
      family,
      reasons: problems.length > 0 ? problems.map(({ message }) => message) : [outcome.text],
    })
  }
  return missing
}

/**
 * Clears values only entered when joining, and those of an earlier leave; but values for an addition that waits stay
 * until then.
 */
export async function forgetEntered(
  work: ProcedureWork,
  families: readonly Family[],
  people: readonly Person[],
  missing: readonly Missing[] = [],
): Promise<void> {
  const fieldsOf = (family: Family, person: Person) => {
    const { entry, leave } = family.personFields
    const waits = missing.some((each) => each.waits && each.family === family && each.person.id === person.id)
    const entered = ['needed', ...planNames(family)].map((name) => plannedField(family, name))
    return [
      ...(waits ? [] : [...entered, ...entry.fields.map(({ name }) => name)]),
      ...leaveNames.map((name) => plannedField(family, name)),
      ...leave.fields.map(({ name }) => name),
    ]
  }
  await forget(
    work,
    people.map((person) => ({ person, fields: families.flatMap((family) => fieldsOf(family, person)) })),
  )
}

/** Clears these fields of people. */
export const forget = (
  work: ProcedureWork,
  people: readonly { person: Person; fields: readonly string[] }[],
): Promise<void> =>
  work.changeAll(
    'person',
    people.map(({ person, fields }) => ({
      record: person,
      values: Object.fromEntries(
        fields.filter((field) => valueIn(person, field) !== null).map((field) => [field, null]),
      ),
    })),
  )
