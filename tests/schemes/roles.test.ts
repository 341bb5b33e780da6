/** A family added to a running system: preset roles get its permissions, and administrators may remove them again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { explain } from '../../engine/schema/tools/explain.ts'
import { derive } from '../../engine/server/derived.ts'
import { applyPresets } from '../../engine/server/catalog/presets.ts'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import { storedRoles } from '../../engine/server/identity/storedRoles.ts'
import { applyTables } from '../../engine/server/postgres/tables.ts'
import { lists } from '../../src/lists.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { schemeCatalog, schemeFiles } from './schemeHouse.ts'
import { isLong } from '../long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  const catalog = schemeCatalog()
  house.runtime.derived = derive(catalog, lists.widgets)
  await applyTables(house.database, catalog.tables)
})
afterAll(() => house?.close())

const role = async (code: string) => (await house.admin.get('/setting/role/list', { search: code })).result.list[0]
const rights = async (code: string): Promise<string[]> =>
  (await house.admin.get('/setting/role/detail', { id: (await role(code)).id })).result.functionPermissions
const handles = 'welfare:guildcareAddition:handle'
const views = 'welfare:guildcareAddition:view'

/** The roles in this database with any permission of the family. */
async function whoMay(): Promise<string[]> {
  const { database, runtime } = house
  const roles = await storedRoles(database, runtime.derived.catalog, lists.widgets)
  const explained = explain('guildcare', [...readSchemas('schemas'), ...schemeFiles], { ...lists, roles })
  if (!('explanation' in explained)) throw new Error(JSON.stringify(explained))
  return explained.explanation.sections.find(({ title }) => title === 'Who may')?.lines.map(({ text }) => text) ?? []
}

test('roles get the permissions of the new family, with a history entry and a message', async () => {
  expect(await rights('welfareClerk')).not.toContain(handles)
  expect((await whoMay()).filter((text) => text.startsWith('welfareClerk'))).toEqual([])
  await applyPresets(house.runtime)
  expect(await rights('welfareClerk')).toContain(handles)
  expect(await rights('auditor')).toContain(views)
  expect((await whoMay()).filter((text) => text.startsWith('welfareClerk'))).toHaveLength(1)
  expect(await rights('cashier')).not.toContain(handles)
  const history = (await house.admin.get('/setting/role/history', { id: (await role('welfareClerk')).id })).result.list
  expect(history[0]).toMatchObject({ action: 'update', changes: [{ field: 'functionPermissions' }] })
  const { rows } = await house.database.pool.query('select title from message where type = $1', ['roleGrown'])
  expect(rows.map(({ title }) => title.cn)).toContain('配置文件新增的权限已授予：社保专员')
})

test.skipIf(!isLong)('a permission that an administrator removes stays removed', async () => {
  const { id, revision } = await role('welfareClerk')
  const kept = (await rights('welfareClerk')).filter((right) => !right.startsWith('welfare:guildcare'))
  expect(
    await house.admin.post('/setting/role/update', { id, revision, values: { functionPermissions: kept } }),
  ).toMatchObject({ code: 1 })
  await applyPresets(house.runtime)
  expect(await rights('welfareClerk')).toEqual(kept)
  expect((await whoMay()).filter((text) => text.startsWith('welfareClerk'))).toEqual([])
})
