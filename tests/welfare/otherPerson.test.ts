/** A ticket whose person is changed in its form takes nothing from the enrolment of the former person. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handlingHouse, type HandlingHouse } from './handled.ts'

let all: HandlingHouse
beforeAll(async () => {
  all = await handlingHouse()
})
afterAll(() => all?.house.close())

test('the form of an adjustment suggests what the enrolment of another person has', async () => {
  const { house, create, enrolled, person } = all
  const former = await enrolled('socialsecurity', { declaredBase: '12000' })
  const other = await enrolled('socialsecurity', { declaredBase: '9000' })
  const stranger = await person()
  const given = { adjustType: 'midyear', effectiveMonth: '2026-03', newBase: '13500' }
  const { id } = (await create('socialsecurityAdjustment', { person: former.person.id, ...given })).result
  const suggest = (who: number) =>
    house.admin.post('/welfare/socialsecurityAdjustment/suggest', {
      id,
      values: { person: who, ...given },
      typed: ['person'],
      parameters: {},
    })
  expect(await suggest(stranger.id)).toMatchObject({ code: 1, result: { values: {} } })
  expect(await suggest(other.person.id)).toMatchObject({ code: 1, result: { values: { oldBase: '9000.00' } } })
})
