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
  supplementOf,
  type Family,
} from '../../procedures/welfare/handling/family.ts'
import { uploadsBy, type Cells } from '../uploads.ts'

/** Of every family the files of a month: new tickets and what became of open ones, each with rows that cannot be. */
export async function ticketFiles(whole: Context): Promise<void> {
  const { context, found, choice, upload } = await uploadsBy(whole, 'welfareClerk')
  const { entities } = context.derived.catalog
  const month = context.now.slice(0, 7)

  for (const family of familiesOf(new ProcedureWork(whole, whole.runtime.database.kysely))) {
    const [addition, reduction] = [additionOf(family), reductionOf(family)]
    const cn = (name: string) => `${month} ${family.cn}${name}.xlsx`
    // Where somebody is insured there is a policy.
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
    await upload(`${addition}Import`, cn('增员'), [
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
    const leaving = await found(enrolmentOf(family), { status: { equals: 'enrolled' } }, 3)
    const reason = choice(reduction, 'reductionReason', family.reductionReasons[0].value)
    const leaver = (one: RecordData, cells: Cells = {}): Cells => ({
      ...whose(one.personName, one.idNumber, one.customer),
      reductionReason: reason,
      lastMonth: month,
      ...cells,
    })
    await upload(`${reduction}Import`, cn('减员'), [
      ...leaving.slice(0, 2).map((one) => leaver(one)),
      ...leaving.slice(2).map((one) => leaver(one, { personName: '张三丰' })),
    ])
    const [base, back] = [adjustmentOf(family), supplementOf(family)]
    const person = (one: RecordData, cells: Cells): Cells => ({
      personName: String(one.personName),
      person: String(one.idNumber),
      ...cells,
    })
    if (family.pages.fm?.includes('importTiaoJiRecords')) {
      const free = await withoutTicket(found, enrolmentOf(family), base, 3)
      const type = choice(base, 'adjustType', family.adjustTypes!.find(({ change }) => change === 'base')?.value)
      await upload(
        `${base}Import`,
        cn('调基'),
        free.map((one, index) =>
          person(one, {
            adjustType: type,
            effectiveMonth: month,
            newBase: index === 2 ? String(one.declaredBase) : (Number(one.declaredBase) + 500).toFixed(2),
          }),
        ),
        { given: { effectiveMonth: month } },
      )
    }
    if (family.pages.fm?.includes('importrecords')) {
      const rows = await found(baseChangeOf(family), { status: { in: ['collecting', 'declared'] } }, 2)
      const [done] = await found(baseChangeOf(family), { status: { equals: 'generated' } }, 1)
      await upload(
        `${baseChangeOf(family)}Import`,
        cn('年度基数'),
        [...rows, ...(done ? [done] : [])].map((one) =>
          person(one, {
            year: String(one.year),
            averageWage: String(one.oldBase),
            newBase: (Number(one.oldBase) + 300).toFixed(2),
            personConfirmed: '是',
          }),
        ),
        { given: { year: (rows[0] ?? done)?.year ?? null } },
      )
    }
    if (family.pages.supplement?.includes('importrecords')) {
      const free = await withoutTicket(found, enrolmentOf(family), back, 3)
      const type = choice(back, 'supplementType', family.supplementTypes![0].value)
      await upload(
        `${back}Import`,
        cn('补缴'),
        free.map((one, index) =>
          person(one, {
            personCustomer: String((one.customer as { name: string }).name),
            supplementType: type,
            fromMonth: addMonths(String(one.startMonth), index === 2 ? -30 : -1)!,
            toMonth: addMonths(String(one.startMonth), -1)!,
            ...(family.base.mode === 'none' ? {} : { base: String(one.declaredBase) }),
            ...(family.supplement?.lateFee === 'daily' && { lateFeeBearer: '客户' }),
            reason: '入职晚报',
          }),
        ),
      )
    }
    const handled = [
      [addition, '增员', true],
      [reduction, '减员', true],
      [base, '调基', family.pages.fm?.includes('importTiaoJiStatusRecords')],
      [back, '补缴', family.pages.supplement?.includes('importhandle')],
    ] as const
    for (const [entity, name] of handled.filter(([, , isThere]) => isThere)) {
      // A file of results is of one account.
      const [ticket] = await found(entity, { status: { equals: 'pending' }, source: { equals: 'import' } }, 1)
      const account = (ticket?.account as { id: number } | undefined)?.id
      if (account === undefined) continue
      const tickets = await found(
        entity,
        { status: { equals: 'pending' }, source: { equals: 'import' }, account: { equals: account } },
        2,
      )
      const result = (one: RecordData, says: string, cells: Cells = {}): Cells => ({
        ticketNo: String(one.ticketNo),
        personName: String(one.personName),
        person: String(one.idNumber),
        result: says,
        handleMonth: month,
        ...cells,
      })
      await upload(
        `${entity}HandleImport`,
        cn(`${name}办理状态`),
        [
          ...tickets.slice(0, 1).map((one) => result(one, '办理失败', { failReason: '证件信息与公安不符' })),
          ...tickets.slice(1).map((one) => result(one, '退回')),
        ],
        { given: { account, handleMonth: month } },
      )
    }
  }
}

/** Who is enrolled and has no open ticket of that kind. */
async function withoutTicket(
  found: (entity: string, filters: Record<string, FilterValue>, size: number) => Promise<RecordData[]>,
  enrolment: string,
  ticket: string,
  count: number,
): Promise<RecordData[]> {
  const open = await found(ticket, { status: { in: ['pending', 'processing', 'returned', 'failed'] } }, 60)
  const taken = new Set(open.map(({ person }) => (person as { id: number }).id))
  return (await found(enrolment, { status: { equals: 'enrolled' } }, count + 10))
    .filter(({ person }) => !taken.has((person as { id: number }).id))
    .slice(0, count)
}

const whose = (name: unknown, idNumber: unknown, customer: unknown): Cells => ({
  personCustomer: String((customer as { name: string }).name),
  personName: String(name),
  person: String(idNumber),
})

/** What a family asks for beside the rest, as its choices are called. */
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
            : dictionaries[String(options.choices)].choices.find((one) => one.value === value)?.label
        return label ? [[key, label.cn]] : []
      }),
  )
}
