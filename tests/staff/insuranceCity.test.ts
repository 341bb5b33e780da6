import { afterAll, beforeAll, expect, test } from 'vitest'
import { holds } from '../../engine/expression/conditions.ts'
import { worded } from '../../engine/expression/worded.ts'
import type { Label, RecordData } from '../../engine/model/model.ts'
import { billedCustomer } from '../statement.ts'
import { movingHouse, type MovingHouse } from '../welfare/moving.ts'

let moving = {} as MovingHouse
beforeAll(async () => {
  moving = await movingHouse()
})
afterAll(() => moving.house?.close())

/** What the form of a person says at the city while it is changed. */
function warned(old: RecordData, insuranceCity: string): (string | undefined)[] {
  const { catalog, widgets } = moving.house.runtime.derived
  const plan = catalog.screens['person.form'].body as unknown as {
    warnings: { at: string; when: string; message: Label }[]
  }
  const entity = catalog.entities.person
  const context = {
    widgets,
    entities: catalog.entities,
    dictionary: (name: string) => catalog.dictionaries[name],
    now: () => '2026-03-10 10:00:00',
    old,
  }
  const values = { ...old, insuranceCity }
  return plan.warnings
    .filter(({ at, when }) => at === 'insuranceCity' && holds(when, false, entity, values, context))
    .map(({ message }) => worded(entity, message, values, context).cn)
}

test('whoever changes the city of an insured person is shown which families stay in the old one', async () => {
  const { house, on, joins, insure } = moving
  on('2026-01-10')
  const customer = await billedCustomer(house, { heads: 0 })
  on('2026-03-10')
  const person = await joins(customer, '2026-03')
  await insure(person, '2026-03')
  const { result } = await house.admin.get('/staff/person/detail', { id: person })
  expect(warned(result, '110100')).toEqual([])
  expect(warned(result, '440300')).toEqual(['社会保险仍在北京参保，不会随之变更：请在原城市减员，再在新城市增员'])
})
