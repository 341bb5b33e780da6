// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { EntityPlan, Value } from '../../model/model.ts'
import { fieldOf, stage, stubBrowser } from '../../../tests/stage.tsx'
import { rowsView } from './rows.view.tsx'

beforeAll(stubBrowser)
afterEach(cleanup)

const contact = {
  fields: {
    name: fieldOf('text', 'name', { max: 60 }),
    mobile: fieldOf('phone', 'mobile', { kind: 'mobile' }),
    main: fieldOf('boolean', 'main', {}, { default: false }),
    code: fieldOf('text', 'code', { max: 60 }, { readOnly: true }),
  },
} as unknown as EntityPlan
const columns = ['name', 'mobile', 'main', 'code', 'hiddenFromMe']
const field = fieldOf('rows', 'contacts', { entity: 'contact', by: 'customer', columns, max: 3 })
const two = [
  { id: 1, name: '周演', mobile: '15400000018', code: 'K1' },
  { id: 2, name: '吴启', mobile: null, code: 'K2' },
]
const draw = (value: Value, more: object = {}) => stage(rowsView.Edit, field, value, { entity: () => contact }, more)
const control = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('every cell is labelled with row and column, and system fields are read-only', async () => {
  await draw(two)
  expect(control('第1行 name').value).toBe('周演')
  expect(control('第2行 mobile').value).toBe('')
  expect(screen.queryByLabelText('第1行 code')).toBeNull()
  expect(screen.getByText('K1')).toBeTruthy()
})

test('every cell has the label of its column, for use where the table is too wide', async () => {
  await draw([two[0]])
  const cells = [...screen.getByRole('table').querySelectorAll('td')]
  expect(cells.map((cell) => cell.dataset.label)).toEqual(['name', 'mobile', 'main', 'code', undefined])
})

test('a change affects one cell of one row', async () => {
  const { value } = await draw(two)
  fireEvent.change(control('第2行 name'), { target: { value: '吴启明' } })
  expect(value()).toEqual([two[0], { ...two[1], name: '吴启明' }])
})

test('rows are added with defaults up to the limit, moved, and removed', async () => {
  const { value } = await draw(two)
  press('添加一行 contacts')
  expect(value()).toEqual([...two, { name: null, mobile: null, main: false, code: null }])
  const add = screen.getByRole('button', { name: '添加一行 contacts' })
  expect(add.getAttribute('aria-disabled')).toBe('true')
  press('上移 第2行')
  expect((value() as typeof two).map((row) => row.id)).toEqual([2, 1, undefined])
  press('删除 第1行')
  press('删除 第2行')
  expect(value()).toEqual([two[0]])
  press('删除 第1行')
  expect(value()).toBeNull()
})

test('a cell shows its problem once left, and keeps it when its row moves', async () => {
  await draw(two)
  const mobile = control('第1行 mobile')
  fireEvent.change(mobile, { target: { value: '123' } })
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.blur(mobile)
  expect(screen.getByRole('alert').textContent).toBe('电话格式不正确')
  expect(mobile.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  press('下移 第1行')
  expect(control('第2行 mobile').getAttribute('aria-invalid')).toBe('true')
  expect(control('第1行 mobile').getAttribute('aria-invalid')).toBeNull()
})

test('problems and conditions of the engine reach their cells', async () => {
  await draw(two, {
    problems: { '1.mobile': '请输入mobile' },
    conditions: (row: number, name: string) => ({
      visible: !(row === 0 && name === 'mobile'),
      readOnly: row === 1 && name === 'name',
      required: false,
    }),
  })
  expect(control('第2行 mobile').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('请输入mobile')).toBeTruthy()
  expect(screen.queryByLabelText('第1行 mobile')).toBeNull()
  expect(screen.queryByLabelText('第2行 name')).toBeNull()
})

test('rows may contain rows', async () => {
  const tier = { fields: { rate: fieldOf('text', 'rate', { max: 9 }) } } as unknown as EntityPlan
  const item = {
    fields: { tiers: fieldOf('rows', 'tiers', { entity: 'tier', by: 'item', columns: ['rate'] }) },
  } as unknown as EntityPlan
  const items = fieldOf('rows', 'items', { entity: 'item', by: 'policy', columns: ['tiers'] })
  const entity = (name: string) => (name === 'tier' ? tier : item)
  const { value } = await stage(
    rowsView.Edit,
    items,
    [{ tiers: [{ rate: '5' }] }],
    { entity },
    { problems: { '0.tiers.0.rate': '不对' } },
  )
  expect(screen.getByText('不对')).toBeTruthy()
  await act(async () => {
    fireEvent.change(control('第1行 rate'), { target: { value: '6' } })
  })
  expect(value()).toEqual([{ tiers: [{ rate: '6' }] }])
})
