import type { Label } from '../../../../engine/model/model.ts'
import type { Part, ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { presentEnrolments } from './enrolments.ts'
import { additionOf, enrolmentOf, familiesOf, reductionOf, type Family, type ReductionName } from './family.ts'

// Conditions for withdrawing a hire or an offboarding: tickets that the bureau has received or handled must be undone
// there first. For completing an offboarding: open tickets must be finished first, and nobody stays insured.

type Person = Pick<Stored<'person'>, 'id' | 'name' | 'entryDate'>
interface Ticket {
  person: number
  ticketNo: string
  status: string
  handler: number | null
}
/** A blocking ticket. */
interface Standing extends Ticket {
  family: Family
}
const ticketFields = ['person', 'ticketNo', 'status', 'handler', 'enrolment'] as const

/** @throws Refusal notAllowed, naming the additions that would keep insured a person who is not joining after all. */
export async function refuseInsured(work: ProcedureWork, people: readonly Person[]): Promise<void> {
  const standing: Standing[] = []
  for (const family of familiesOf(work)) {
    const tickets = await work.read(additionOf(family), {
      where: { person: people.map(({ id }) => id), status: ['processing', 'success'] },
      fields: ticketFields,
    })
    const enrolments = await work.byId(
      enrolmentOf(family),
      tickets.map(({ enrolment }) => enrolment),
      { fields: ['status'] },
    )
    for (const ticket of tickets) {
      const status = enrolments.get(ticket.enrolment ?? 0)?.status
      if (status !== undefined && status !== 'stopped') standing.push({ ...ticket, family })
    }
  }
  await refuse(work, people, standing, {
    what: addition,
    open: returnFirst,
    done: { cn: '已办结，请先撤回，或办结减员', en: 'is complete: revoke it or complete a reduction first' },
  })
}

/** @throws Refusal notAllowed, naming the reductions that would leave uninsured a person who stays. */
export async function refuseUninsured(work: ProcedureWork, people: readonly Person[]): Promise<void> {
  const standing: Standing[] = []
  for (const family of familiesOf(work)) {
    const ids = people.map(({ id }) => id)
    const tickets = await work.read(reductionOf(family), {
      where: { person: ids, status: ['processing', 'success'], source: 'person' },
      fields: [...ticketFields, 'lastMonth'],
    })
    const present = await presentEnrolments(work, family, ids)
    standing.push(
      ...tickets
        .filter(({ person, status, lastMonth }) =>
          status === 'processing' ? true : !present.has(person) && lastMonth >= entryMonth(people, person),
        )
        .map((ticket) => ({ ...ticket, family })),
    )
  }
  await refuse(work, people, standing, {
    what: reduction,
    open: returnFirst,
    done: { cn: '已办结，请先撤回，或重新增员', en: 'is complete: revoke it or create a new addition first' },
  })
}

/** @throws Refusal notAllowed, naming the missing reductions that keep a person insured who has left. */
export async function refuseOpenReductions(work: ProcedureWork, people: readonly Person[]): Promise<void> {
  const open: Standing[] = []
  for (const family of familiesOf(work)) {
    const tickets = await work.read(reductionOf(family), {
      where: { person: people.map(({ id }) => id), status: ['pending', 'processing', 'returned', 'failed'] },
      fields: ticketFields,
    })
    open.push(...tickets.map((ticket) => ({ ...ticket, family })))
  }
  const finishFirst = { cn: '尚未办结', en: 'is still open' }
  await refuse(work, people, open, { what: reduction, open: finishFirst, done: finishFirst })
}

/** @throws Refusal notAllowed, naming the families in which a person who leaves is insured with no reduction. */
export async function refuseStillInsured(work: ProcedureWork, people: readonly Person[]): Promise<void> {
  const reasons: Label[] = []
  for (const family of familiesOf(work)) {
    const insured = await work.read(enrolmentOf(family), {
      where: { person: people.map(({ id }) => id), status: 'enrolled' },
      fields: ['person'],
    })
    for (const { person } of insured) {
      const { name } = people.find(({ id }) => id === person)!
      reasons.push({
        cn: `${name}仍参加${family.cn}，请先办理减员`,
        en: `${name} is still enrolled in ${family.en}: make a reduction first`,
      })
    }
  }
  refuseAll(work, reasons)
}

/** @throws Refusal notAllowed, naming the reductions without which people who leave, or have left, stay insured. */
export async function refuseLeavers(
  work: ProcedureWork,
  family: Family,
  reductions: readonly Stored<ReductionName>[],
): Promise<void> {
  const people = await work.byId(
    'person',
    reductions.map(({ person }) => person),
    { fields: ['name', 'employmentStatus', 'customer', 'entryDate'] },
  )
  const reasons = reductions.flatMap(({ person: id, customer, leaveDate, ticketNo }): Label[] => {
    const person = people.get(id)!
    const isOver = customer !== person.customer || (leaveDate !== null && leaveDate < person.entryDate)
    if (!isOver && person.employmentStatus !== 'leaving' && person.employmentStatus !== 'left') return []
    const mayStay = !isOver && person.employmentStatus === 'leaving'
    return [
      {
        cn: `${person.name}离职后仍会参加${family.cn}：请修改减员${ticketNo}后办结${mayStay ? undoLeave.cn : ''}`,
        en:
          `${person.name} would stay enrolled in ${family.en} after leaving: ` +
          `correct and finish reduction ${ticketNo}${mayStay ? undoLeave.en : ''}`,
      },
    ]
  })
  refuseAll(work, reasons)
}

const undoLeave: Label = { cn: '，或撤销离职', en: ', or undo the offboarding' }
const addition: Label = { cn: '增员', en: 'addition' }
const reduction: Label = { cn: '减员', en: 'reduction' }
const returnFirst: Label = { cn: '正在办理，请先退回', en: 'is being handled: have it returned first' }

const entryMonth = (people: readonly Person[], person: number): string =>
  people.find(({ id }) => id === person)!.entryDate.slice(0, 7)

async function refuse(
  work: ProcedureWork,
  people: readonly Person[],
  standing: readonly Standing[],
  { what, open, done }: Record<'what' | 'open' | 'done', Label>,
): Promise<void> {
  if (standing.length === 0) return
  const handlers = await work.byId(
    'user',
    standing.map(({ handler }) => handler),
    { fields: ['realName'] },
  )
  const reasons = standing.map(({ family, ticketNo, status, handler, person }) => {
    const state = status === 'success' ? done : open
    const by = nameOf(handlers.get(handler ?? 0))
    const { name } = people.find(({ id }) => id === person)!
    return {
      cn: `${name}的${family.cn}${what.cn}${ticketNo}${state.cn}${by && `（办理人${by}）`}`,
      en: `${name}: ${family.en} ${what.en} ${ticketNo} ${state.en}${by && ` (handled by ${by})`}`,
    }
  })
  refuseAll(work, reasons)
}

function refuseAll(work: ProcedureWork, reasons: readonly Label[]): void {
  if (reasons.length > 0)
    work.refuseCall({ cn: reasons.map(({ cn }) => cn).join('；'), en: reasons.map(({ en }) => en).join('; ') })
}

const nameOf = (user: Part<'user', 'realName'> | undefined): string => user?.realName ?? ''
