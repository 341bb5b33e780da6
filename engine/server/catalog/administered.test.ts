/** Files that are read again on a running server: what administrators may change follows them, and only what differs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Catalog } from '../../model/model.ts'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { reloadSchemas } from '../http/reload.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

let count = 0
async function reload(change: (catalog: Catalog) => void): Promise<void> {
  const { catalog, declared } = server.runtime.derived
  const next = structuredClone({ ...catalog, dictionaries: declared })
  change(next)
  next.hash = `changed ${++count}`
  expect(await reloadSchemas(server.runtime, () => ({ catalog: next, issues: [] }))).toEqual([])
}
const items = async (dictionary: string) =>
  (
    await server.database.pool.query<{ value: string; label: string; isDeclared: boolean }>(
      `select i.value, i.label, i."isDeclared" from "dictionaryItem" i join dictionary d on d.id = i.dictionary
         where d.code = $1 order by i.sort, i.id`,
      [dictionary],
    )
  ).rows
const entry = async (code: string) =>
  (await server.database.pool.query('select "frontRoute", name from menu where code = $1', [code])).rows[0]

test('a dictionary follows its file, and the others are left as they are', async () => {
  const before = await items('invoiceType')
  await server.database.pool.query(
    `update "dictionaryItem" set "isDeclared" = false
       where dictionary = (select id from dictionary where code = 'customerType')`,
  )
  await reload(({ dictionaries }) => {
    const { choices } = dictionaries.industry
    Object.assign(choices[0], { label: { cn: '软件', en: 'Software' } })
    choices.push({ value: 'space', label: { cn: '航天', en: 'Space' } })
    dictionaries.industry.choices = choices.filter(({ value }) => value !== 'catering')
  })
  const after = await items('industry')
  expect(after[0]).toMatchObject({ label: '软件', isDeclared: true })
  expect(after.find(({ value }) => value === 'space')).toMatchObject({ label: '航天', isDeclared: true })
  expect(after.find(({ value }) => value === 'catering')).toMatchObject({ isDeclared: false })
  expect(server.runtime.derived.catalog.dictionaries.industry.choices.at(-1)!.value).toBe('space')
  expect(await items('invoiceType')).toEqual(before)
  expect((await items('customerType')).map(({ isDeclared }) => isDeclared)).not.toContain(true)
})

test('a new dictionary gets records, and they are marked when it leaves', async () => {
  const colour = { value: 'red', label: { cn: '红', en: 'Red' } }
  await reload(({ dictionaries }) => {
    dictionaries.colour = { ...dictionaries.industry, name: 'colour', choices: [colour] }
  })
  expect(await items('colour')).toEqual([{ value: 'red', label: '红', isDeclared: true }])
  await reload(({ dictionaries }) => {
    delete dictionaries.colour
  })
  expect(await items('colour')).toEqual([{ value: 'red', label: '红', isDeclared: false }])
})

test('a value of files that are refused halfway is not left as declared; if it must be, both errors are reported', async () => {
  await server.create('/customer', await customerValues(server))
  const formula = (size: string) => (catalog: Catalog) => {
    const { columns } = catalog.tables.customer
    if (!columns.some(({ name }) => name === 'size')) columns.push({ name: 'size', type: 'integer', nullable: true })
    catalog.entities.customer.fields.size = {
      ...catalog.entities.statementLine.fields.place,
      name: 'size',
      computed: { kind: 'formula', formula: size },
    }
  }
  await reload(formula('1'))
  const before = await items('invoiceType')
  const tooLarge = (value: string) =>
    reload((catalog) => {
      formula('3000000000')(catalog)
      catalog.dictionaries.invoiceType.choices.push({ value, label: { cn: '印花', en: 'Stamp' } })
    })
  await expect(tooLarge('stamp')).rejects.toThrow('too large')
  const declared = async () => (await items('invoiceType')).filter(({ isDeclared }) => isDeclared)
  expect(await declared()).toEqual(before)

  await server.database.pool.query(`
    create function keep() returns trigger language plpgsql as $$ begin raise 'kept as it is'; end $$;
    create trigger keep before update on "dictionaryItem" for each row execute function keep()`)
  const both = await tooLarge('seal').catch((error: unknown) => error)
  await server.database.pool.query('drop function keep cascade')
  expect(both).toBeInstanceOf(AggregateError)
  expect((both as AggregateError).message).toMatch(/too large.*kept as it is/)
  expect((both as AggregateError).cause).toBe((both as AggregateError).errors[1])
  expect((both as AggregateError).errors.map(String)).toEqual([
    expect.stringContaining('too large'),
    expect.stringContaining('kept as it is'),
  ])
  await reload(() => undefined)
  await expect(tooLarge('stamp')).rejects.toThrow('too large')
})

const addColumn = ({ tables }: Catalog, name: string) =>
  tables.customer.columns.push({ name, type: 'integer', nullable: true })

test('files that change a table leave the dictionaries of the others as they are', async () => {
  await server.database.pool.query(
    `update "dictionaryItem" set "isDeclared" = false
       where dictionary = (select id from dictionary where code = 'industry')`,
  )
  await reload((catalog) => addColumn(catalog, 'floors'))
  expect((await items('industry')).map(({ isDeclared }) => isDeclared)).not.toContain(true)
  const { rows } = await server.database.pool.query('select floors from customer')
  expect(rows[0]).toEqual({ floors: null })
})

test.each(['the same files', 'the next files'])(
  'what failed after its tables were changed follows %s',
  async (files) => {
    const value = files.replaceAll(' ', '')
    await server.database.pool.query(`
    create function keep() returns trigger language plpgsql as $$ begin raise 'kept as it is'; end $$;
    create trigger keep before insert on "dictionaryItem" for each row execute function keep()`)
    let failed!: Catalog
    const failing = reload((catalog) => {
      failed = catalog
      addColumn(catalog, value.toLowerCase())
      catalog.dictionaries.invoiceType.choices.push({ value, label: { cn: files, en: files } })
    })
    await expect(failing).rejects.toThrow('kept as it is')
    await server.database.pool.query('drop function keep cascade')
    if (files === 'the next files') await reload(() => undefined)
    else expect(await reloadSchemas(server.runtime, () => ({ catalog: failed, issues: [] }))).toEqual([])
    expect((await items('invoiceType')).map((item) => item.value)).toContain(value)
  },
)

test('dictionaries follow the first language of the product that is not English', async () => {
  const before = (await items('invoiceType')).filter(({ isDeclared }) => isDeclared)
  await reload(({ app }) => Object.assign(app, { languages: ['en'] }))
  const inEnglish = (await items('invoiceType')).filter(({ isDeclared }) => isDeclared)
  expect(inEnglish.map(({ label }) => label)).not.toEqual(before.map(({ label }) => label))
  await reload(({ app }) => Object.assign(app, { languages: ['cn', 'en'] }))
  expect((await items('invoiceType')).filter(({ isDeclared }) => isDeclared)).toEqual(before)
})

test('an entry of the menu follows the route of its screen', async () => {
  expect(await entry('notice.list')).toMatchObject({ frontRoute: '/setting/notice' })
  await reload(({ screens }) => {
    screens['notice.list'].route = '/setting/news'
  })
  expect(await entry('notice.list')).toMatchObject({ frontRoute: '/setting/news' })
})
