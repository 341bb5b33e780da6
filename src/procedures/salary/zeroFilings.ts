import { procedure, type ProcedureWork, type Values } from '../../../engine/server/procedure.ts'
import { firstDay, lastDay } from '../monthDays.ts'
import { agentOf, type Withheld } from './payrollData.ts'
import { noIncome, readZeroYears } from './zeroYears.ts'

/** A month without income counts in the year nevertheless, because its deduction accumulates. */
export const fillZeroFiling = procedure<'personalTax'>(async (work, { records }) => {
  const zero = records.filter(({ filingKind }) => filingKind === 'zero')
  const yearOf = await readZeroYears(work, zero)
  await work.changeAll(
    'personalTax',
    zero.map((record) => ({ record, values: yearOf(record) })),
  )
})

/** Adds a zero filing for everybody whom we file for in the month and who has no filing with that agent in it. */
export const fillZeroFilings = procedure<'personalTax'>(async (work, { values }) => {
  const month = values.taxMonth!
  const people = [...(await readAtWork(work, month)), ...(await readGone(work, month))]
  const filed = await work.read('personalTax', {
    where: { taxMonth: month },
    fields: ['person', 'taxSubject', 'customer', 'agency'],
  })
  const there = new Set(filed.map((each) => `${agentOf(each)} ${each.person}`))
  const wanted = people.flatMap(({ name, ...whom }) => {
    const key = `${agentOf(whom)} ${whom.person}`
    if (there.has(key)) return []
    there.add(key)
    return [{ filing: { ...whom, taxMonth: month }, name }]
  })
  const yearOf = await readZeroYears(
    work,
    wanted.map(({ filing }) => filing),
  )
  const made = wanted.map(({ filing, name }): Values<'personalTax'> => ({
    ...filing,
    personName: name,
    incomeType: 'wage',
    filingKind: 'zero',
    ...noIncome,
    status: 'pending',
    zeroReason: values.zeroReason,
    ...yearOf(filing),
  }))
  await work.insert('personalTax', made, { action: 'zeroAuto' })
  return { succeeded: made.length, failed: [] }
})

type Filed = Withheld & { person: number; name: string }

/** People employed now who were also employed in the month. */
async function readAtWork(work: ProcedureWork, month: string): Promise<Filed[]> {
  const people = await work.read('person', {
    where: {
      employmentStatus: ['active', 'leaving'],
      taxSubject: 'provider',
      entryDate: { between: [null, lastDay(month)] },
      taxStartMonth: { between: [null, month] },
    },
    fields: ['name', 'customer', 'agency', 'taxSubject'],
    seen: true,
  })
  return people.map(({ id, name, customer, agency, taxSubject }) => ({
    person: id,
    name,
    customer,
    agency,
    taxSubject,
  }))
}

/** People employed now who had another employment in the month: they are filed there too. */
async function readGone(work: ProcedureWork, month: string): Promise<Filed[]> {
  const stints = await work.read('employmentRecord', {
    where: {
      taxSubject: 'provider',
      entryDate: { between: [null, lastDay(month)] },
      leaveDate: { between: [firstDay(month), null] },
    },
    fields: ['person', 'customer', 'agency', 'taxSubject'],
    seen: true,
  })
  const people = await work.byId(
    'person',
    stints.map(({ person }) => person),
    { fields: ['name', 'employmentStatus'] },
  )
  return stints.flatMap(({ person, customer, agency, taxSubject }) => {
    const { name, employmentStatus } = people.get(person)!
    const isBack = employmentStatus === 'active' || employmentStatus === 'leaving'
    return isBack ? [{ person, name, customer, agency, taxSubject: taxSubject! }] : []
  })
}
