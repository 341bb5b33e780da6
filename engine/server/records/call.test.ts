import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestServer, defaultPassword, type TestServer } from '../../../tests/server.ts'
import type { Catalog } from '../../model/model.ts'
import { numberAfter } from './valuesOfEach.ts'

/** An action of users that runs the engine's own procedure, and prompts for a field first. */
function change(catalog: Catalog): Catalog {
  catalog.entities.user.actions.resetPassword = {
    name: 'resetPassword',
    label: { cn: '重置密码', en: 'Reset password' },
    guards: [],
    permission: 'setting:user:resetPassword',
    run: 'resetPassword',
    danger: true,
    set: {},
    append: [],
    updates: [],
    notify: [],
    when: "status == 'enabled'",
    form: [{ field: 'introduction', required: true }],
  }
  const [machine] = catalog.entities.user.states
  // A number is written into several users at once.
  machine.transitions.disable.form = [{ field: 'introduction', required: true, consecutive: true }]
  return catalog
}

let house: TestServer
beforeAll(async () => {
  house = await createTestServer({ change })
})
afterAll(() => house?.close())

it('runs a procedure on all chosen records, or on none', async () => {
  const first = await house.user('first', ['support'])
  const second = await house.user('second', ['support'])
  await first.post('/partner-user/change-password', {
    original_password: defaultPassword,
    new_password: 'Another-2026',
  })
  const reset = (ids: number[], values: Record<string, string> = { introduction: 'x' }) =>
    house.admin.post('/setting/user/resetPassword', { ids, values })
  const stillSignedIn = async () => (await first.get('/plans/app')).code === 1

  expect(await reset([first.id], {})).toMatchObject({
    status: 422,
    errors: [{ field: 'introduction', message: '请输入简介' }],
  })
  expect(await reset([first.id, 999_999])).toMatchObject({ status: 404 })
  await house.admin.post('/setting/user/disable', { id: second.id, values: { introduction: 'x' } })
  expect(await reset([first.id, second.id])).toMatchObject({ status: 409 })
  expect(await stillSignedIn()).toBe(true)
  expect(await reset([first.id])).toMatchObject({ code: 1, result: { succeeded: 1, failed: [], passwords: [] } })
  expect(await stillSignedIn()).toBe(false)
  await house.signIn('first', defaultPassword)
  expect(
    await (await house.signIn('first', defaultPassword)).post('/setting/user/resetPassword', { ids: [first.id] }),
  ).toMatchObject({ status: 403 })
})

it('the next number keeps its length, and grows longer only if it must', () => {
  expect([
    numberAfter('00000099', 1),
    numberAfter('No-0099', 0),
    numberAfter('99', 1),
    numberAfter('99202611000000000099', 2),
    numberAfter('none', 1),
  ]).toEqual(['00000100', 'No-0099', '100', '99202611000000000101', 'none'])
})

it(
  'a number given for several records is checked once, before the numbers after it are counted',
  { timeout: 20_000 },
  async () => {
    const ids = [(await house.user('third', ['support'])).id, (await house.user('fourth', ['support'])).id]
    for (const introduction of [`${'1'.repeat(200_000)}x`, '1'.repeat(200_000)])
      expect(await house.admin.post('/setting/user/disable', { ids, values: { introduction } })).toMatchObject({
        status: 422,
        errors: [{ field: 'introduction' }],
      })
    await house.admin.post('/setting/user/disable', { ids, values: { introduction: ' No-09 ' } })
    const { rows } = await house.database.pool.query('select introduction from "user" where id = any($1) order by id', [
      ids,
    ])
    expect(rows.map(({ introduction }) => introduction)).toEqual(['No-09', 'No-10'])
  },
)
