/** A preview shows records, so what it shows of values masked for others is logged like a list. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uscc } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { Catalog } from '../../model/model.ts'
import { recordHistory } from '../records/history.ts'
import type { Procedure } from '../runtime.ts'

/** An action that changes an agency, whose number is sensitive and among its facts. */
function change(catalog: Catalog): Catalog {
  const { agency } = catalog.entities
  agency.fields.uscc.sensitive = true
  agency.facts = ['uscc']
  agency.actions.touch = {
    name: 'touch',
    permission: 'setting:agency:edit',
    guards: [],
    danger: false,
    label: { cn: '改动', en: 'Touch' },
    set: {},
    append: [],
    updates: [],
    notify: [],
    form: [],
    foresee: true,
    run: 'touch',
  }
  return catalog
}

let house: TestServer
beforeAll(async () => {
  house = await createTestServer({ change })
  const { derived, procedures } = house.runtime
  derived.alone = new Set([...derived.alone, '/customer/agency/touch'])
  const touch: Procedure = async ({ context, db, records }) => {
    const { agency: entity } = context.derived.catalog.entities
    const [old] = records
    const record = { ...old, name: '改名', revision: old.revision! + 1 }
    await recordHistory({ context, db }, [{ entity, record, old, action: 'touch', effects: [], changed: ['name'] }])
    return { succeeded: 1 }
  }
  Object.assign(procedures, { touch })
})
afterAll(() => house?.close())

it('logs a preview that shows sensitive values, and leaves nothing else behind', async () => {
  const id = await house.create('/customer/agency', {
    code: 'J901',
    name: '机构甲',
    kind: 'partner',
    uscc: uscc(701),
    cities: ['310100'],
  })
  const entries = async () =>
    (
      await house.database.pool.query<{ action: string; changes: object }>(
        `select action, changes from system_history where entity = 'agency' and action <> 'create' order by id`,
      )
    ).rows
  const { result, ...answer } = await house.admin.post('/customer/agency/touch/foresee', { id, values: {} })
  expect(answer).toMatchObject({ code: 1 })
  expect(JSON.stringify(result.lists)).toContain(uscc(701))
  expect(await entries()).toEqual([
    { action: 'viewSensitive', changes: expect.objectContaining({ rows: 1, filter: `id ${id}`, aside: true }) },
  ])
})
