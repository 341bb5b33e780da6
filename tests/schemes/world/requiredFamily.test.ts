/** A family that requires enrolment in another one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { catalogWith } from './worldFiles.ts'

const [required, voluntary] = ['hongkongmpf', 'hongkongvoluntary']
let at: SchemeHouse

beforeAll(async () => {
  at = await schemeHouse(() => catalogWith('requiredFamily', { [required]: () => ({}), [voluntary]: () => ({}) }))
  const items = (family: string) => {
    const { fields } = at.house.runtime.derived.catalog.entities.policy
    const rows = fields[`${family}Items`].default as RecordData[]
    return rows.map((row) => ({ ...row, baseFloor: '7100.00', baseCeiling: '30000.00' })) as Value
  }
  await at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: false,
    [`${required}Items`]: items(required),
    [`${voluntary}Items`]: items(voluntary),
  })
})
afterAll(() => at?.house.close())

const add = (person: number) =>
  at.house.admin.post(`/welfare/${voluntary}Addition/create`, {
    values: { person, additionType: 'join', city: at.city, startMonth: '2026-03', declaredBase: '8000.00' },
  })

test('a person in the required family may join, and another may not', async () => {
  const joined = (isRequired: boolean) =>
    at.joins({
      entryDate: '2026-03-01',
      [`${required}Needed`]: isRequired,
      ...(isRequired && { [`${required}DeclaredBase`]: '8000.00' }),
      [`${voluntary}Needed`]: false,
    })
  const [inside, outside] = [await joined(true), await joined(false)]
  const [ticket] = await at.ticketsOf(`${required}Addition`, inside.id)
  expect(await at.call(`${required}Addition`, 'succeed', ticket.id!, { handleMonth: '2026-03' })).toMatchObject({
    code: 1,
  })
  expect((await add(outside.id)).errors).toMatchObject([{ message: '不符合参加条件：须先参加所要求的险种' }])
  expect(await add(inside.id)).toMatchObject({ code: 1 })
})
