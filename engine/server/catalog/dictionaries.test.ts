import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Catalog, Dictionary } from '../../model/model.ts'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { applyAdministered } from './administered.ts'
import { derive } from '../derived.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const item = async (dictionary: string, value: string) => {
  const { list } = (await server.admin.get('/setting/dictionaryItem/list', { search: value, size: 100 })).result
  return list.find(
    (each: { dictionary: { code: string }; value: string }) =>
      each.dictionary.code === dictionary && each.value === value,
  )
}
const idOf = async (dictionary: string) =>
  (await server.admin.get('/setting/dictionary/list', { search: dictionary })).result.list[0].id as number
const save = async (dictionary: string, value: string, values: object) => {
  const { id, revision } = await item(dictionary, value)
  return server.admin.post('/setting/dictionaryItem/update', { id, revision, values })
}
const shown = async (name: string): Promise<Dictionary> =>
  (await server.admin.get('/plans/screen', { route: '/customer' })).result.dictionaries[name]
/** Simulates the next start with other files. */
const restart = async (change: (catalog: Catalog) => void) => {
  const catalog = structuredClone({ ...server.runtime.derived.catalog, dictionaries: server.runtime.derived.declared })
  change(catalog)
  server.runtime.derived = derive(catalog, server.runtime.widgets)
  await applyAdministered(server.runtime)
}
const choice = (catalog: Catalog, name: string, value: string) =>
  catalog.dictionaries[name].choices.find((choice) => choice.value === value)!

describe('dictionaries that may grow', () => {
  test('are listed as the files declare them', async () => {
    expect(await item('industry', 'it')).toMatchObject({
      label: '信息技术',
      labelEn: 'Information technology',
      fixed: false,
      isDeclared: true,
    })
    expect(await item('approvalStatus', 'pending')).toMatchObject({ fixed: true, tag: 'warning' })
  })

  test('an added value can be chosen, checked, filtered by and sorted by at once', async () => {
    const values = await customerValues(server, { industry: 'space' })
    expect((await server.admin.post('/customer/create', { values })).errors).toMatchObject([{ field: 'industry' }])
    await server.create('/setting/dictionaryItem', {
      dictionary: await idOf('industry'),
      value: 'space',
      label: '航天',
      labelEn: 'Space',
      sort: 5,
    })
    expect((await shown('industry')).choices[0]).toEqual({ value: 'space', label: { cn: '航天', en: 'Space' } })
    await server.create('/customer', values)
    expect(
      (await server.admin.get('/customer/list', { filters: { industry: { in: ['space'] } }, sort: 'industry' })).result
        .list,
    ).toMatchObject([{ industry: 'space' }])
  })

  test('a disabled value stays in its records, and is no longer offered', async () => {
    const { id } = await item('industry', 'catering')
    expect(await server.admin.post('/setting/dictionaryItem/disable', { id })).toMatchObject({ code: 1 })
    expect((await shown('industry')).choices.find(({ value }) => value === 'catering')).toMatchObject({
      disabled: true,
    })
  })
})

describe('fixed dictionaries, which code depends on', () => {
  test('accept no new value, and none of their values can be disabled', async () => {
    const added = { dictionary: await idOf('approvalStatus'), value: 'maybe', label: '也许', labelEn: 'Maybe' }
    expect((await server.admin.post('/setting/dictionaryItem/create', { values: added })).errors).toMatchObject([
      { field: 'dictionary', code: 'reference' },
    ])
    expect(
      await server.admin.post('/setting/dictionaryItem/disable', { id: (await item('approvalStatus', 'pending')).id }),
    ).toMatchObject({ code: 409 })
    expect((await save('approvalStatus', 'pending', { value: 'waiting' })).errors).toMatchObject([
      { field: 'value', code: 'read-only' },
    ])
  })

  test('accept other labels, colours and order', async () => {
    expect(await save('approvalStatus', 'pending', { label: '等待审核', tag: 'danger', sort: 99 })).toMatchObject({
      code: 1,
    })
    expect((await shown('approvalStatus')).choices.at(-1)).toEqual({
      value: 'pending',
      label: { cn: '等待审核', en: 'Pending approval' },
      tag: 'danger',
    })
  })
})

test('keeps what administrators changed, field by field; the rest follows the files', async () => {
  await restart((catalog) => {
    Object.assign(choice(catalog, 'approvalStatus', 'pending'), { label: { cn: '待审', en: 'Waiting' }, tag: 'info' })
    choice(catalog, 'approvalStatus', 'approved').label = { cn: '通过', en: 'Passed' }
  })
  const { choices } = await shown('approvalStatus')
  expect(choices.at(-1)).toEqual({ value: 'pending', label: { cn: '等待审核', en: 'Waiting' }, tag: 'danger' })
  expect(choices.find(({ value }) => value === 'approved')!.label).toEqual({ cn: '通过', en: 'Passed' })
})

test('a value that leaves the files is hidden but stays listed, and returns with its file', async () => {
  const former = server.runtime.derived.declared
  await restart((catalog) => {
    catalog.dictionaries.industry.choices = catalog.dictionaries.industry.choices.filter(({ value }) => value !== 'it')
  })
  expect((await shown('industry')).choices.map(({ value }) => value)).not.toContain('it')
  expect((await shown('industry')).choices.map(({ value }) => value)).toContain('space')
  expect(await item('industry', 'it')).toMatchObject({ isDeclared: false })
  await restart((catalog) => {
    catalog.dictionaries = structuredClone(former)
  })
  expect(await item('industry', 'it')).toMatchObject({ isDeclared: true })
  expect((await shown('industry')).choices.map(({ value }) => value)).toContain('it')
})
