import { addDays, addMonths } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { backPaid, problemsOf, type BackPaymentInputs } from '../../procedures/welfare/handling/backPaid.ts'
import { enrolmentOf, familiesOf, backPaymentMonthOf, backPaymentOf } from '../../procedures/welfare/handling/family.ts'
import { type TicketContext, readTicketContext } from '../../procedures/welfare/handling/ticketContext.ts'
import { openTicket } from './enrolments.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260319
/** The number of back-payments of each family. */
const most = 14

/**
 * Back-payments for one to six months that were missed between joining and enrolment; the provider bears the late fee of
 * two.
 */
export async function writeBackPayments(
  context: Context,
  db: Db,
  resolve: Resolve,
  sample: number | undefined,
): Promise<void> {
  const random = new Random(seed)
  const clerk = Number(resolve('user', 'welfareClerk'))
  const today = context.now.slice(0, 10)
  const { entities } = context.derived.catalog
  const work = new ProcedureWork(context, db)
  let byProvider = 2
  for (const family of familiesOf(work).filter(({ pages }) => pages.supplement !== null)) {
    const enrolments = await work.read(enrolmentOf(family), {
      where: {
        status: 'enrolled',
        startMonth: { between: [null, addMonths(today.slice(0, 7), -1)] },
        person: { not: sample ?? 0 },
      },
    })
    const ticketContext = await readTicketContext(
      work,
      family,
      enrolments.map(({ person }) => person),
    )
    const entryMonth = ({ person }: (typeof enrolments)[number]) =>
      String(ticketContext.persons.get(person!)!.entryDate).slice(0, 7)
    const late = enrolments.filter((enrolment) => entryMonth(enrolment) < String(enrolment.startMonth))
    const made = random
      .some(late, most * 4)
      .flatMap((enrolment) => {
        const from = entryMonth(enrolment)
        const found = missedMonths(random, { ticketContext, enrolment, from, today, clerk, byProvider })
        if (found?.ticket.lateFeeBearer === 'provider') byProvider -= 1
        return found ?? []
      })
      .slice(0, most)
    const ids = await insertMany(
      context,
      db,
      entities[backPaymentOf(family)],
      made.map(({ ticket }) => ticket),
    )
    await insertMany(
      context,
      db,
      entities[backPaymentMonthOf(family)],
      made.flatMap(({ rows }, index) => rows.map((row) => ({ ...row, supplement: ids[index] }))),
    )
  }
}

interface Missed {
  ticketContext: TicketContext
  enrolment: NonNullable<BackPaymentInputs['enrolment']>
  /** The month of joining. */
  from: string
  today: string
  clerk: number
  /** For how many more back-payments the provider bears the late fee. */
  byProvider: number
}

/** A back-payment for the months before an enrolment; undefined if nothing can be paid for them. */
function missedMonths(
  random: Random,
  { ticketContext, enrolment, from, today, clerk, byProvider }: Missed,
): { ticket: RecordData; rows: RecordData[] } | undefined {
  const { family } = ticketContext
  const toMonth = addMonths(String(enrolment.startMonth), -1)!
  const sixth = addMonths(toMonth, 1 - random.integer(1, 6))!
  const fromMonth = sixth < from ? from : sixth
  const handleMonth = addMonths(today.slice(0, 7), -random.integer(1, 11))!
  const status = random.weighted([
    ['success', 60],
    ['pending', 14],
    ['processing', 12],
    ['returned', 7],
    ['failed', 7],
  ] as const)
  const day = status === 'success' ? `${handleMonth}-1${random.integer(0, 9)}` : `${today.slice(0, 7)}-01`
  const moment = `${day} ${random.integer(10, 17)}:${random.integer(10, 59)}:00`
  const handledOn = status === 'success' ? (moment.slice(0, 10) > today ? today : moment.slice(0, 10)) : null
  const inputs: BackPaymentInputs = {
    context: ticketContext,
    enrolment: { ...enrolment, startMonth: fromMonth },
    enrolmentIn: () => enrolment,
    paid: new Map(),
    charged: new Map(),
    problem: null,
    handledOn,
    today,
  }
  const given: RecordData = {
    person: enrolment.person,
    supplementType: random.pick(['late', 'missed']),
    fromMonth,
    toMonth,
  }
  const { values, rows, lateFee } = backPaid(inputs, given)
  const ticket: RecordData = {
    ...given,
    ...values,
    reason: random.pick(['入职后晚报，补缴入职月份', '原单位停保晚，入职月份漏缴', '客户补报名单', '转移手续延误']),
  }
  if (problemsOf(inputs, ticket).length > 0 || Number(values.total) === 0) return undefined
  const isDaily = family.supplement?.lateFee === 'daily'
  const lateFeeBearer = isDaily && status === 'success' && byProvider > 0 ? 'provider' : 'customer'
  const stamp = moment.slice(0, 10) > today ? `${addDays(today, -1)!} 10:00:00` : moment
  return {
    rows,
    ticket: {
      ...ticket,
      ...(isDaily && { lateFee, lateFeeBearer }),
      source: random.pick(['manual', 'import']),
      createdBy: clerk,
      updatedBy: clerk,
      createdAt: stamp,
      updatedAt: stamp,
      ...(status === 'success'
        ? { status, result: 'success', handler: clerk, acceptedAt: stamp, handledAt: stamp, handleMonth }
        : openTicket(status, clerk, stamp)),
    },
  }
}
