/** Effects for many people take the same number of queries as for two. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Value } from '../../engine/model/model.ts'
import { givenFor, importFile, planOf, rows as rowsOf, workbook, worker } from '../importing.ts'
import { moreOften, queriesOf } from '../statementsOf.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'
import { isLong } from '../long.ts'

const name = '林晓演'
const month = { handleMonth: '2026-03' }
const cells = { succeed: '办理成功', fail: '办理失败', return: '退回' }
const family = 'socialsecurity'

type Counts = Record<string, Map<string, number>>
let all: HandlingHouse
beforeAll(async () => {
  all = await handlingHouse()
})
afterAll(() => all?.house.close())

/** Imports files in sequence, with a row for each of `size` people. @returns the queries of each check and write */
async function follow(size: number): Promise<Counts> {
  const { house } = all
  const counts: Counts = {}
  const people: { id: number; idNumber: string }[] = []
  for (let n = 0; n < size; n++) people.push(await all.person())
  const file = async (step: string, kind: string, row: Record<string, string>, given?: Record<string, Value>) => {
    const batches = `${family}${kind}Import`
    const rows = people.map(({ idNumber }) => ({ personName: name, person: idNumber, ...row }))
    const content = await workbook(planOf(house, batches), rows)
    const path = `/welfare/${batches}`
    const id = await importFile(house, content, {
      path,
      name: '文件.xlsx',
      ...(given ?? (await givenFor(house, batches, rows))),
    })
    counts[`${step}: check`] = await queriesOf(() => worker(house, 1000).drain())
    const checked = await rowsOf(house, id, house.admin, `${path}Row`)
    expect(await house.admin.post(`${path}/write`, { id }), JSON.stringify(checked[0]?.errors)).toMatchObject({
      code: 1,
    })
    counts[`${step}: write`] = await queriesOf(() => worker(house, 1000).drain())
    const { result } = await house.admin.get(`${path}/detail`, { id })
    const written = await rowsOf(house, id, house.admin, `${path}Row`)
    expect(result, JSON.stringify(written[0]?.errors)).toMatchObject({ status: 'completed', successCount: size })
  }
  const act = async (step: string, path: string, body: object) => {
    counts[step] = await queriesOf(async () => {
      expect(await house.admin.post(`/welfare/${family}${path}`, body)).toMatchObject({ code: 1 })
    })
  }
  const handle = (kind: string, result: keyof typeof cells) =>
    file(`${kind} ${result}`, `${kind}Handle`, {
      result: cells[result],
      ...month,
      ...(result !== 'succeed' && { failReason: '缺材料' }),
    })
  const ofCustomer = { givenPersonCustomer: all.around.customer }
  const added = {
    personCustomer: all.around.name,
    city: '北京',
    additionType: '新参保',
    startMonth: '2026-01',
    declaredBase: '8000.00',
    workForm: '劳动合同',
  }
  await file('Addition new', 'Addition', added, ofCustomer)
  await handle('Addition', 'return')
  await file('Addition corrected', 'Addition', { ...added, declaredBase: '9000.00' }, ofCustomer)
  await handle('Addition', 'fail')
  await file('Addition corrected again', 'Addition', { ...added, declaredBase: '8000.00' }, ofCustomer)
  await handle('Addition', 'succeed')
  // The addition has created it for the missed months.
  await handle('Supplement', 'succeed')
  const adjusted = { adjustType: '中途调基', effectiveMonth: '2026-02', newBase: '13500.00' }
  await file('Adjustment new', 'Adjustment', adjusted, { givenEffectiveMonth: '2026-02' })
  await handle('Adjustment', 'succeed')
  await act('Expenses generate', 'ExpenseSummary/generate', { values: { feeMonth: '2026-04' } })
  const persons = people.map(({ id }) => id)
  const { result: ledger } = await house.admin.get(`/welfare/${family}Enrolment/list`, {
    filters: { person: { in: persons } },
    size: 100,
  })
  const ids = ledger.list.map(({ id }: { id: number }) => id)
  const leaving = { reductionReason: 'resign', endMonth: '2026-02' }
  await act('Reduction from the ledger', 'Enrolment/reduceAll', { ids, values: leaving })
  await handle('Reduction', 'return')
  const reduced = { personCustomer: all.around.name, reductionReason: '离职', lastMonth: '2026-01' }
  await file('Reduction corrected', 'Reduction', reduced, ofCustomer)
  await handle('Reduction', 'succeed')
  return counts
}

describe.skipIf(!isLong)('tickets, their results and their costs', () => {
  let few: Counts
  let many: Counts
  beforeAll(async () => {
    // The first run fills caches, so it is not counted.
    await follow(1)
    few = await follow(2)
    many = await follow(20)
  }, 600_000)
  test.each(
    [
      'Addition new',
      'Addition return',
      'Addition corrected',
      'Addition fail',
      'Addition succeed',
      'Supplement succeed',
      'Adjustment new',
      'Adjustment succeed',
      'Reduction return',
      'Reduction corrected',
      'Reduction succeed',
    ].flatMap((step) => [`${step}: check`, `${step}: write`]),
  )('%s', (step) => compare(step))
  test.each(['Expenses generate', 'Reduction from the ledger'])('%s', (step) => compare(step))
  const compare = (step: string) => {
    expect(few[step].size).toBeGreaterThan(3)
    expect(moreOften(few[step], many[step])).toEqual([])
  }
})
