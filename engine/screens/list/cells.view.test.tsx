// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../../tests/stage.tsx'
import { RequestError } from '../../client/RequestError.ts'
import type { Field, RecordData, SaveRequest, ScreenBundle, ScreenPlan } from '../../model/model.ts'
import type { ListPlan } from './list.ts'
import { isLong } from '../../../tests/long.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const label = (cn: string) => ({ cn, en: cn })
const choices = [
  { value: 'pending', label: label('待审核') },
  { value: 'approved', label: label('已通过') },
]
const dictionaries = { status: { name: 'status', label: label('状态'), mayGrow: false, choices } }
const column = (field: string, rest = {}) => ({
  field,
  label: label(field),
  width: 120,
  sum: false,
  sort: true,
  hidden: false,
  ...rest,
})
const body: ListPlan = {
  filters: [],
  columns: [column('name'), column('balance', { edit: true }), column('status', { edit: true })],
  pageSize: 20,
  where: {},
  actions: [],
  tabs: [],
  marks: [],
  paths: { list: '/thing/list', update: '/thing/update' },
}
const plan: ScreenPlan = {
  name: 'thing',
  kind: 'list',
  area: '',
  title: label('客户'),
  parameters: [],
  entity: 'thing',
  permission: '',
  noCache: false,
  file: '',
  body,
}

interface Given {
  fields?: Partial<Record<string, Partial<Field>>>
  allow?: string
  granted?: Record<string, boolean>
  update?: (sent: SaveRequest) => unknown
}

/** A list whose records change when saved, like on a server. */
async function open({ fields = {}, allow, granted = {}, update }: Given = {}) {
  const records: RecordData[] = Array.from({ length: 3 }, (_, index) => ({
    id: index + 1,
    revision: 1,
    name: `客户${index + 1}`,
    balance: '10.00',
    status: index === 1 ? 'approved' : 'pending',
  }))
  const whole = bundleOf(
    plan,
    [
      fieldOf('text', 'name', {}, fields.name),
      fieldOf('money', 'balance', { min: '0.01' }, fields.balance),
      fieldOf('choice', 'status', { choices: 'status' }, fields.status),
    ],
    { dictionaries, granted },
  )
  const { thing } = whole.entities
  const bundle: ScreenBundle = {
    ...whole,
    entities: {
      thing: {
        ...thing,
        permissions: { ...thing.permissions, update: 'thing:edit' },
        ...(allow !== undefined && { allow: { ...thing.allow, update: allow } }),
      },
    },
  }
  const save = (sent: SaveRequest) => {
    const answer = update?.(sent)
    if (answer instanceof Error) throw answer
    const record = records.find(({ id }) => id === sent.id)!
    Object.assign(record, sent.values, { revision: record.revision! + 1 })
    return { id: record.id, revision: record.revision }
  }
  const shown = { rows: records }
  const seen = await openScreen({
    bundle,
    answers: {
      '/thing/list': () => ({
        list: shown.rows.map((record) => ({ ...record })),
        total: shown.rows.length,
        sums: {},
        counts: [],
      }),
      '/thing/update': save,
    },
  })
  await screen.findByRole('table', { name: '客户' })
  const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) })
  const saves = () => seen.requests.filter(({ path }) => path === '/thing/update').map(({ payload }) => payload)
  return { seen, row, saves, records, shown }
}
const cell = (row: HTMLElement, field = 'balance') =>
  within(row).findByRole('button', { name: new RegExp(`^编辑${field}`) })
const control = (field = 'balance') => screen.findByLabelText<HTMLInputElement>(field)

test("an editable cell is a button labelled with field and value, and becomes the field's control", async () => {
  const { row } = await open()
  const button = await cell(row('客户1'))
  expect(button.getAttribute('aria-label')).toBe('编辑balance：￥10.00')
  expect(button.textContent).toBe('￥10.00')
  expect(within(row('客户1')).queryByRole('button', { name: /编辑name/ })).toBeNull()
  button.focus()
  await user.press('F2')
  expect(document.activeElement).toBe(await control())
  expect((await control()).value).toBe('10.00')
})

test('a cell is plain text if the record, the field or the user does not allow changes', async () => {
  const { row } = await open({ allow: "status == 'pending'", fields: { status: { readOnlyWhen: 'old.balance > 5' } } })
  await cell(row('客户1'))
  expect(within(row('客户2')).queryAllByRole('button', { name: /^编辑/ })).toEqual([])
  expect(within(row('客户1')).queryByRole('button', { name: /^编辑status/ })).toBeNull()
  cleanup()
  const denied = await open({ granted: { 'thing:edit': false } })
  await waitFor(() => expect(denied.row('客户1')).toBeTruthy())
  expect(screen.queryAllByRole('button', { name: /^编辑/ })).toEqual([])
})

test('Enter saves with the revision and moves to the next editable row, which shows the saved values', async () => {
  const { row, saves, records } = await open({
    allow: "status == 'pending'",
    update: ({ id }) => {
      records[id! - 1].name = `改过${id}`
    },
  })
  await user.click(await cell(row('客户1')))
  await user.type(await control(), '1,234.5')
  await user.press('Enter')
  await screen.findByText('改过1')
  expect(saves()).toEqual([{ id: 1, revision: 1, values: { balance: '1234.50' }, cell: true }])
  expect((await cell(row('改过1'))).textContent).toBe('￥1,234.50')
  // The second row may not be changed, so the third is next.
  expect(row('客户3').contains(document.activeElement)).toBe(true)
  await user.type(await control(), '7')
  await user.press('Enter', { shiftKey: true })
  await screen.findByText('改过3')
  expect(row('改过1').contains(document.activeElement)).toBe(true)
  expect(saves()).toHaveLength(2)
})

test('an invalid value is reported at the cell and not sent, and Escape discards it and keeps focus', async () => {
  const { row, saves } = await open()
  await user.click(await cell(row('客户1')))
  await user.type(await control(), '0')
  await user.press('Enter')
  const alert = await within(row('客户1')).findByRole('alert')
  expect(alert.textContent).toContain('balance')
  expect((await control()).getAttribute('aria-describedby')).toBe(alert.id)
  expect(document.activeElement).toBe(await control())
  await user.press('Escape')
  expect(document.activeElement).toBe(await cell(row('客户1')))
  expect(saves()).toEqual([])
})

test('Tab moves to the next editable cell, and unchanged values are not saved', async () => {
  const { row, saves } = await open()
  await user.click(await cell(row('客户1')))
  await user.press('Tab')
  await waitFor(async () => expect(document.activeElement).toBe(await control('status')))
  await user.press('Enter')
  await waitFor(() => expect(row('客户2').contains(document.activeElement)).toBe(true))
  await user.press('Tab', { shiftKey: true })
  await waitFor(async () => expect(document.activeElement).toBe(await control('balance')))
  expect(row('客户2').contains(document.activeElement)).toBe(true)
  expect(saves()).toEqual([])
})

test.skipIf(!isLong)('clicking elsewhere saves', async () => {
  const { row, saves } = await open()
  await user.click(await cell(row('客户1')))
  await user.type(await control(), '12')
  await user.click(screen.getByRole('region', { name: '客户' }))
  await waitFor(() => expect(saves()).toEqual([{ id: 1, revision: 1, values: { balance: '12.00' }, cell: true }]))
  expect((await cell(row('客户1'))).textContent).toBe('￥12.00')
})

const refusal = (code: number, rest: object = {}) => new RequestError('不行', { code, ...rest })

test('a refusal is shown at the cell, with the name of another field, and the input stays', async () => {
  let answer: Error | undefined = refusal(422, {
    errors: [{ field: 'name', code: 'rule', message: '太短', texts: label('太短') }],
  })
  const { row, saves } = await open({ update: () => answer })
  await user.click(await cell(row('客户3')))
  await user.type(await control(), '12')
  await user.press('Enter')
  expect((await within(row('客户3')).findByRole('alert')).textContent).toBe('name：太短')
  expect((await control()).value).toBe('12.00')
  answer = undefined
  ;(await control()).focus()
  await user.press('Enter')
  await waitFor(() => expect(saves()).toHaveLength(2))
  expect((await cell(row('客户3'))).textContent).toBe('￥12.00')
})

test.skipIf(!isLong)('a value saved meanwhile by another user is offered beside the input', async () => {
  const conflict = {
    revision: 5,
    fields: { balance: { base: '10.00', theirs: '99.00', mine: '12.00' } },
    by: '李四',
    at: '2026-03-10 09:00:00',
  }
  let answer: Error | undefined = refusal(409, { conflict })
  const { row, saves } = await open({ update: () => answer })
  await user.click(await cell(row('客户1')))
  await user.type(await control(), '12')
  await user.press('Enter')
  const dialog = await screen.findByRole('dialog', { name: '数据已被他人修改' })
  answer = undefined
  await user.click(within(dialog).getByRole('radio', { name: '保留我的balance' }))
  await user.click(within(dialog).getByRole('button', { name: '按所选内容保存' }))
  await waitFor(() => expect(saves()[1]).toEqual({ id: 1, revision: 5, values: { balance: '12.00' }, cell: true }))
  expect((await cell(row('客户1'))).textContent).toBe('￥12.00')
})

test.skipIf(!isLong)('a row that disappears for a while returns with its input', async () => {
  const { row, shown, records } = await open()
  await user.click(await cell(row('客户1')))
  await user.type(await control(), '0')
  await user.click(screen.getByRole('region', { name: '客户' }))
  await screen.findByRole('alert')
  shown.rows = records.slice(1)
  await user.click(screen.getByRole('button', { name: '刷新' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: /客户1/ })).toBeNull())
  shown.rows = records
  await user.click(screen.getByRole('button', { name: '刷新' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: /客户1/ })).not.toBeNull())
  expect((await control()).value).toBe('0.00')
})
