import { addMonths } from '../../../engine/expression/index.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context } from '../../../engine/server/runtime.ts'
import type { FilterValue, Label, RecordData } from '../../../engine/model/model.ts'
import {
  additionOf,
  adjustmentOf,
  baseChangeOf,
  enrolmentOf,
  familiesOf,
  reductionOf,
  backPaymentOf,
  type Family,
} from '../../procedures/welfare/handling/family.ts'
import { earliestStart } from './enrolments.ts'
import { uploadsBy, type Cells } from '../uploads.ts'

/** A month's uploads of people for every family: new tickets, and results of open ones, with rows that must fail. */
export async function ticketFiles(whole: Context): Promise<void> {
  const desk = await uploadsBy(whole, 'welfareClerk')
  const month = desk.context.now.slice(0, 7)
  for (const family of familiesOf(new ProcedureWork(whole, whole.runtime.database.kysely))) {
    const around: Around = { ...desk, family, month, fileName: (name) => `${month} ${family.cn}${name}.xlsx` }
    await additions(around)
    await reductions(around)
    if (family.pages.fm?.includes('importTiaoJiRecords')) await adjustments(around)
    if (family.pages.fm?.includes('importrecords')) await yearlyBases(around)
    if (family.pages.supplement?.includes('importrecords')) await backPayments(around)
    const handled = [
      [additionOf(family), '增员', true],
      [reductionOf(family), '减员', true],
      [adjustmentOf(family), '调基', family.pages.fm?.includes('importTiaoJiStatusRecords')],
      [backPaymentOf(family), '补缴', family.pages.supplement?.includes('importhandle')],
    ] as const
    for (const [entity, name] of handled.filter(([, , isThere]) => isThere)) await results(around, entity, name)
  }
}

interface Around extends Awaited<ReturnType<typeof uploadsBy>> {
  family: Family
  month: string
  fileName(name: string): string
}

async function additions({ context, found, choice, upload, family, month, fileName }: Around): Promise<void> {
  const { entities } = context.derived.catalog
  const addition = additionOf(family)
  // Cities with enrolments have a policy.
  const cities = new Set((await found(enrolmentOf(family), {}, 60)).map(({ city }) => city))
  const open = {
    employmentStatus: { equals: 'active' },
    workerKind: { in: family.eligibility.workerKinds ?? ['regular'] },
    insuranceCity: { in: [...cities] },
    [`${family.key}Enrolment`]: { empty: true },
  }
  const eligible = cities.size > 0 ? await found('person', open as Record<string, FilterValue>, 3) : []
  const [there] = await found(enrolmentOf(family), { status: { equals: 'enrolled' } }, 1)
  const joiner = (person: RecordData, cells: Cells = {}): Cells => ({
    ...whose(person.name, person.idNumber, person.customer),
    city: choice('person', 'insuranceCity', person.insuranceCity),
    additionType: choice(addition, 'additionType', entities[addition].fields.additionType.default),
    startMonth: month,
    ...(family.base.mode === 'none' ? {} : { declaredBase: String(person.baseSalary) }),
    ...extras(context, family, addition),
    ...cells,
  })
  await upload(`${addition}Import`, fileName('增员'), [
    ...eligible.map((person) => joiner(person)),
    ...(there
      ? [
          joiner({
            name: there.personName,
            idNumber: there.idNumber,
            customer: there.customer,
            insuranceCity: there.city,
            baseSalary: '8000.00',
          }),
        ]
      : []),
    ...eligible.slice(0, 1).map((person) => joiner(person, { person: '990101199003074511', personName: '无此人' })),
  ])
}

async function reductions({ found, choice, upload, family, month, fileName }: Around): Promise<void> {
  const reduction = reductionOf(family)
  const leaving = await found(enrolmentOf(family), { status: { equals: 'enrolled' } }, 3)
  const reason = choice(reduction, 'reductionReason', family.reductionReasons[0].value)
  const leaver = (enrolment: RecordData, cells: Cells = {}): Cells => ({
    ...whose(enrolment.personName, enrolment.idNumber, enrolment.customer),
    reductionReason: reason,
    lastMonth: month,
    ...cells,
  })
  await upload(`${reduction}Import`, fileName('减员'), [
    ...leaving.slice(0, 2).map((enrolment) => leaver(enrolment)),
    ...leaving.slice(2).map((enrolment) => leaver(enrolment, { personName: '张三丰' })),
  ])
}

async function adjustments({ found, choice, upload, family, month, fileName }: Around): Promise<void> {
  const base = adjustmentOf(family)
  const free = await withoutTicket(found, { enrolment: enrolmentOf(family), ticket: base, count: 3 })
  const type = choice(base, 'adjustType', family.adjustTypes!.find(({ change }) => change === 'base')?.value)
  await upload(
    `${base}Import`,
    fileName('调基'),
    free.map((enrolment, index) =>
      personOf(enrolment, {
        adjustType: type,
        effectiveMonth: month,
        newBase: index === 2 ? String(enrolment.declaredBase) : (Number(enrolment.declaredBase) + 500).toFixed(2),
      }),
    ),
    { given: { effectiveMonth: month } },
  )
}

async function yearlyBases({ found, upload, family, fileName }: Around): Promise<void> {
  const rows = await found(baseChangeOf(family), { status: { in: ['collecting', 'declared'] } }, 2)
  const [done] = await found(baseChangeOf(family), { status: { equals: 'generated' } }, 1)
  await upload(
    `${baseChangeOf(family)}Import`,
    fileName('年度基数'),
    [...rows, ...(done ? [done] : [])].map((change) =>
      personOf(change, {
        year: String(change.year),
        averageWage: String(change.oldBase),
        newBase: (Number(change.oldBase) + 300).toFixed(2),
        personConfirmed: '是',
      }),
    ),
    { given: { year: (rows[0] ?? done)?.year ?? null } },
  )
}

async function backPayments({ found, choice, upload, family, month, fileName }: Around): Promise<void> {
  const back = backPaymentOf(family)
  // People who joined long ago were enrolled later than that.
  const where = { startMonth: { equals: earliestStart(month) } }
  const free = await withoutTicket(found, { enrolment: enrolmentOf(family), ticket: back, count: 3, where })
  const type = choice(back, 'supplementType', family.supplementTypes![0].value)
  await upload(
    `${back}Import`,
    fileName('补缴'),
    free.map((enrolment, index) =>
      personOf(enrolment, {
        personCustomer: String((enrolment.customer as { name: string }).name),
        supplementType: type,
        fromMonth: addMonths(String(enrolment.startMonth), index === 2 ? -30 : -1)!,
        toMonth: addMonths(String(enrolment.startMonth), -1)!,
        ...(family.base.mode === 'none' ? {} : { base: String(enrolment.declaredBase) }),
        ...(family.supplement?.lateFee === 'daily' && { lateFeeBearer: '客户' }),
        reason: '入职晚报',
      }),
    ),
  )
}

/** Results of open tickets of this kind; a file of results belongs to one account. */
async function results({ found, upload, month, fileName }: Around, entity: string, name: string): Promise<void> {
  const [ticket] = await found(entity, { status: { equals: 'pending' }, source: { equals: 'import' } }, 1)
  const account = (ticket?.account as { id: number } | undefined)?.id
  if (account === undefined) return
  const tickets = await found(
    entity,
    { status: { equals: 'pending' }, source: { equals: 'import' }, account: { equals: account } },
    2,
  )
  const result = (open: RecordData, says: string, cells: Cells = {}): Cells => ({
    ticketNo: String(open.ticketNo),
    personName: String(open.personName),
    person: String(open.idNumber),
    result: says,
    handleMonth: month,
    ...cells,
  })
  await upload(
    `${entity}HandleImport`,
    fileName(`${name}办理状态`),
    [
      ...tickets.slice(0, 1).map((open) => result(open, '办理失败', { failReason: '证件信息与公安不符' })),
      ...tickets.slice(1).map((open) => result(open, '退回')),
    ],
    { given: { account, handleMonth: month } },
  )
}

interface Free {
  /** The names of the entities. */
  enrolment: string
  ticket: string
  count: number
  where?: Record<string, FilterValue>
}

/** Enrolments without an open ticket of this kind. */
async function withoutTicket(
  found: Around['found'],
  { enrolment, ticket, count, where = {} }: Free,
): Promise<RecordData[]> {
  const open = await found(ticket, { status: { in: ['pending', 'processing', 'returned', 'failed'] } }, 60)
  const taken = new Set(open.map(({ person }) => (person as { id: number }).id))
  return (await found(enrolment, { status: { equals: 'enrolled' }, ...where }, count + 10))
    .filter(({ person }) => !taken.has((person as { id: number }).id))
    .slice(0, count)
}

const personOf = (record: RecordData, cells: Cells): Cells => ({
  personName: String(record.personName),
  person: String(record.idNumber),
  ...cells,
})

const whose = (name: unknown, idNumber: unknown, customer: unknown): Cells => ({
  personCustomer: String((customer as { name: string }).name),
  personName: String(name),
  person: String(idNumber),
})

/** The extra fields of a family, with labels of choices. */
function extras(context: Context, family: Family, addition: string): Cells {
  const { entities, dictionaries } = context.derived.catalog
  return Object.fromEntries(
    family.extras
      .filter(({ on }) => on.includes('addition'))
      .flatMap(({ key }): [string, string][] => {
        const { default: value, options } = entities[addition].fields[key]
        const label: Label | undefined =
          value === undefined || options.choices === undefined
            ? undefined
            : dictionaries[String(options.choices)].choices.find((choice) => choice.value === value)?.label
        return label ? [[key, label.cn]] : []
      }),
  )
}
