import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { check, customerImport, customerRow } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { text } from '../../widgets/text/text.ts'
import type { Widget } from '../../model/model.ts'

const message = { cn: '地址须含门牌号', en: 'An address has a number' }
/** A widget with a problem that no other widget has. */
const own: Widget = {
  ...text,
  check: (value, ...rest) => (value === '无门牌' ? { code: 'houseNumber', message } : text.check(value, ...rest)),
}

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  house.runtime.derived.widgets.text = own
  await customerValues(house)
})
afterAll(async () => {
  house.runtime.derived.widgets.text = text
  await house.close()
})

test('an import reports the problems of a custom widget as a form does', async () => {
  const values = await customerValues(house, { address: '无门牌' })
  const { errors } = await house.admin.post('/customer/create', { values })
  expect(errors).toEqual([{ field: 'address', code: 'houseNumber', message: message.cn, texts: message }])

  const rows = [customerRow(1, { address: '无门牌' }), customerRow(2, { address: '无门牌' }), customerRow(3)]
  const id = await check(house, rows)
  const { list } = (await house.admin.get(`${customerImport}/problems`, { id })).result
  const column = { cn: '注册地址', en: 'Registered address' }
  const named = { cn: `${column.cn}：${message.cn}`, en: `${column.en}: ${message.en}` }
  expect(list).toMatchObject([{ column: 'address', code: 'houseNumber', count: 2, message: named, label: named }])
})
