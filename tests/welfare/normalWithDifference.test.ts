/** A row of the bureau may combine a person's normal amount and the differences charged with it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { handlingHouse, messagesOf, type HandlingHouse } from './handled.ts'
import { isLong } from '../long.ts'

let house: HandlingHouse
beforeEach(async () => {
  house = await handlingHouse()
})
afterEach(() => house?.house.close())

const family = 'accumulationfund'
const batches = `${family}BigTableImport`

const done = async (path: string, body: object) =>
  expect(await house.house.admin.post(`/welfare/${family}${path}`, body), path).toMatchObject({ code: 1 })

/** The lines of a person by type: due amount, actual amount and state of the comparison. */
const states = async (person: number, feeMonth: string): Promise<Record<string, unknown[]>> => {
  const lines = await house.ticketsOf(`${family}ExpenseLine`, person)
  return Object.fromEntries(
    lines
      .filter((line) => line.feeMonth === feeMonth)
      .map((line) => [line.expenseType, [line.total, line.actualTotal, line.reconcileStatus]]),
  )
}

/** People whose base was raised in April with effect from March, and the table's rows of April. */
async function raised(people: number) {
  const all = []
  for (let index = 0; index < people; index++) all.push(await house.enrolled(family, { fundCompanyRate: '7' }))
  await done('ExpenseSummary/generate', { values: { feeMonth: '2026-03' } })
  const summaries = (await house.house.admin.get(`/welfare/${family}ExpenseSummary/list`, {})).result.list
  for (const { id } of summaries as RecordData[]) await done('ExpenseSummary/confirm', { id })
  house.house.runtime.clock = clockOn('2026-04-10')
  for (const { person } of all) {
    const { result } = await house.create(`${family}Adjustment`, {
      person: person.id,
      adjustType: 'midyear',
      effectiveMonth: '2026-03',
      newBase: '6000',
    })
    await done('Adjustment/succeed', { id: result.id, values: { handleMonth: '2026-04' } })
  }
  await done('ExpenseSummary/generate', { values: { feeMonth: '2026-04' } })
  const { account } = await house.detail(`${family}Enrolment`, all[0].enrolment)
  const row = (idNumber: string, each: number, total = 2 * each) => ({
    feeMonth: '2026-04',
    account: String((account as unknown as { code: string }).code),
    personName: '测试',
    idNumber,
    checked1: '7',
    actualBase: '6000',
    fundActualCompany: String(total - each),
    fundActualPersonal: String(each),
    actualTotal: String(total),
  })
  return { people: all.map(({ person }) => person), row }
}

const written = async (cells: Record<string, string>[]): Promise<number> => {
  const { id, rows } = await house.checked(batches, cells)
  expect(
    rows.map(({ rowStatus }) => rowStatus),
    JSON.stringify(rows.map(messagesOf)),
  ).toEqual(cells.map(() => 'toUpdate'))
  expect((await house.written(batches, id)).map(({ rowStatus }) => rowStatus)).toEqual(cells.map(() => 'updated'))
  return id
}

test('a row is compared with both if their sum is nearer, and otherwise with the normal amount', async () => {
  const { people, row } = await raised(4)
  const [both, normal, nearBoth, nearNormal] = people
  const unchecked = { normal: ['840.00', null, 'unchecked'], difference: ['140.00', null, 'unchecked'] }
  for (const { id } of people) expect(await states(id, '2026-04')).toEqual(unchecked)
  const id = await written([
    row(both.idNumber, 490),
    row(normal.idNumber, 420),
    row(nearBoth.idNumber, 490, 981),
    row(nearNormal.idNumber, 420, 860),
  ])
  const matched = { normal: ['840.00', '840.00', 'matched'], difference: ['140.00', '140.00', 'matched'] }
  expect(await states(both.id, '2026-04'), 'both').toEqual(matched)
  expect(await states(normal.id, '2026-04'), 'the normal amount').toEqual({
    normal: ['840.00', '840.00', 'matched'],
    difference: ['140.00', '0.00', 'missing'],
  })
  expect(await states(nearBoth.id, '2026-04'), 'about both').toEqual({
    normal: ['840.00', '841.00', 'different'],
    difference: ['140.00', '140.00', 'matched'],
  })
  expect(await states(nearNormal.id, '2026-04'), 'about the normal amount').toEqual({
    normal: ['840.00', '860.00', 'different'],
    difference: ['140.00', '0.00', 'missing'],
  })

  const summary = async () => {
    const { list } = (
      await house.house.admin.get(`/welfare/${family}ExpenseSummary/list`, {
        filters: { feeMonth: { between: ['2026-04', '2026-04'] } },
      })
    ).result
    return list[0]
  }
  expect(await summary(), 'as much as the table has').toMatchObject({ actualTotal: '3661.00', diffTotal: '-259.00' })

  expect(await house.house.admin.post(`/welfare/${batches}/undo`, { id })).toMatchObject({ code: 1 })
  for (const { id: person } of people) expect(await states(person, '2026-04'), 'undone').toEqual(unchecked)

  await written(people.map(({ idNumber }) => row(idNumber, 490)))
  for (const { id: person } of people) expect(await states(person, '2026-04')).toEqual(matched)
  await written(people.map(({ idNumber }) => row(idNumber, 420)))
  for (const { id: person } of people)
    expect(await states(person, '2026-04'), 'a later table').toMatchObject({
      difference: ['140.00', '0.00', 'missing'],
    })
})

test.skipIf(!isLong)(
  'without a normal amount, a row is compared with all differences if their sum is nearest',
  async () => {
    const { people, row } = await raised(4)
    const [all, nearAll, exact, between] = people
    const again = async (person: number, newBase: string) => {
      const { result } = await house.create(`${family}Adjustment`, {
        person,
        adjustType: 'midyear',
        effectiveMonth: '2026-03',
        newBase,
      })
      await done('Adjustment/succeed', { id: result.id, values: { handleMonth: '2026-04' } })
    }
    const alone = async (person: number) => {
      const lines = await house.ticketsOf(`${family}ExpenseLine`, person)
      return lines
        .filter(({ feeMonth }) => feeMonth === '2026-04')
        .sort((a, b) => a.id! - b.id!)
        .map(({ expenseType, total, actualTotal, reconcileStatus }) => [
          expenseType,
          total,
          actualTotal,
          reconcileStatus,
        ])
    }
    for (const { id } of people) {
      await again(id, '8000')
      const reduced = await house.create(`${family}Reduction`, {
        person: id,
        lastMonth: '2026-03',
        reductionReason: 'seal',
      })
      await done('Reduction/succeed', { id: reduced.result.id, values: { handleMonth: '2026-04' } })
      expect(await alone(id)).toEqual([
        ['difference', '140.00', null, 'unchecked'],
        ['difference', '280.00', null, 'unchecked'],
      ])
    }
    const { id, rows } = await house.checked(batches, [
      row(all.idNumber, 210),
      row(nearAll.idNumber, 205),
      row(exact.idNumber, 140),
      row(between.idNumber, 175),
    ])
    expect(
      rows.map(({ rowStatus }) => rowStatus),
      JSON.stringify(rows.map(messagesOf)),
    ).toEqual(['toUpdate', 'toUpdate', 'failed', 'failed'])
    expect(messagesOf(rows[2]).join()).toContain('匹配到多条记录')
    await house.written(batches, id)
    const compared = async () => [await alone(all.id), await alone(nearAll.id)]
    const expected = [
      [
        ['difference', '140.00', '140.00', 'matched'],
        ['difference', '280.00', '280.00', 'matched'],
      ],
      [
        ['difference', '140.00', '130.00', 'different'],
        ['difference', '280.00', '280.00', 'matched'],
      ],
    ]
    expect(await compared()).toEqual(expected)
    expect(await house.house.admin.post(`/welfare/${batches}/undo`, { id })).toMatchObject({ code: 1 })
    for (const { id: person } of people)
      expect((await alone(person)).map(([, , actual, state]) => [actual, state])).toEqual([
        [null, 'unchecked'],
        [null, 'unchecked'],
      ])
    await written([row(all.idNumber, 210), row(nearAll.idNumber, 205)])
    expect(await compared(), 'a later table').toEqual(expected)
  },
)
