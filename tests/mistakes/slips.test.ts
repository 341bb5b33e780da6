import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kinds } from '../../engine/screens/index.ts'
import { compileWithWarnings } from '../../engine/schema/compile.ts'
import { widgets } from '../../engine/widgets/index.ts'
import { legal, slips, type Slip } from './slips.ts'

const procedures = ['importWrite', 'importCancel', 'importUndo', 'importStopUndo', 'importFix']
const filesOf = (code: string) =>
  readdirSync(join(import.meta.dirname, code), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
    .map((path): [string, string] => [path.replaceAll('\\', '/'), readFileSync(join(import.meta.dirname, code, path), 'utf8')])

const area = new Map([...filesOf('unreceived-message'), ...filesOf('missing-column'), ...filesOf('sound')].reverse())
for (const code of ['missing-column', 'unreceived-message']) for (const [path, text] of filesOf(code)) area.set(path, text)
fixing('customer.imports', '["code"]\n', '["code", { "field": "name", "sample": "示例" }]\n')
fixing('order.entity', '"orderLate", "title"', '"orderPaid", "title"')
fixing('order.entity', '          { "type": "orderPaid", "title": { "cn": "{number}已付", "en": "{number} paid" } }\n', '')
fixing('order.entity', '"to": "clerk", "title": { "cn": "{number}逾期", "en": "{number} is late" } },', '"to": "clerk", "title": { "cn": "{number}未付", "en": "{number} is open" } }')
fixing('order.entity', '"paidAt": {', '"channel": { "type": "choice", "choices": "channel", "label": { "cn": "渠道", "en": "Channel" } }, "orderedOn": { "type": "date", "label": { "cn": "日期", "en": "Ordered on" } }, "paidAt": {')
fixing('order.form', '"clerk", "total"', '"clerk", "channel", "orderedOn", "total"')
for (const [path, text] of filesOf('unknown-measure')) area.set(path, text)
fixing('order.report', '"totl"', '"total"')
fixing('order.report', '"-order"', '"-total"')
fixing('customer.entity', '"spent": {', '"since": { "type": "date", "label": { "cn": "始于", "en": "Since" } }, "credit": { "type": "money", "label": { "cn": "额度", "en": "Credit" } }, "spent": {')
fixing('customer.imports', '"sample": "示例" }', '"sample": "示例" }, { "field": "since", "sample": "2026-03-01" }, { "field": "credit", "sample": "5000.00" }')
area.set('schemas/shop/desk.board.json', `{ "route": "/desk", "title": { "cn": "工作台", "en": "Desk" }, "permission": "shop:order:view", "menu": { "order": 1 },
  "cards": [{ "name": "open", "label": { "cn": "未付", "en": "Open" }, "screen": "order.list", "filter": { "status": "open" }, "roles": ["cashier"], "since": "createdAt" }],
  "calendar": { "label": { "cn": "日历", "en": "Calendar" }, "steps": [
    { "name": "collect", "label": { "cn": "收款", "en": "Collect" }, "from": 1, "to": 5, "lists": [{ "screen": "order.list", "filter": { "status": "open" } }] },
    { "name": "close", "label": { "cn": "关账", "en": "Close" }, "from": 30, "to": 31, "doneWhen": "today() > '2026-03-01'", "page": "order.report" }] } }`)
area.set('schemas/shop/desk.tabs.json', `{ "route": "/all", "entity": "order", "title": { "cn": "全部", "en": "All" }, "menu": { "order": 20 }, "tabs": [
  { "name": "orders", "label": { "cn": "订单", "en": "Orders" }, "screen": "order.list" }, { "name": "customers", "label": { "cn": "顾客", "en": "Customers" }, "screen": "customer.list" }] }`)
area.set('schemas/shop/channel.dictionary.json', '{ "label": { "cn": "渠道", "en": "Channel" }, "mayGrow": true, "choices": [{ "value": "shop", "label": { "cn": "门店", "en": "Shop" } }, { "value": "web", "label": { "cn": "网店", "en": "Web" } }] }')

function fixing(name: string, from: string, to: string, files = area) {
  const [path, text] = [...files].find(([file]) => file.endsWith(`/${name}.json`))!
  expect(text, name).toContain(from)
  files.set(path, text.replace(from, () => to))
}

function issuesOf({ in: original, from, to, as: name = original }: Slip) {
  const files = new Map(area)
  if (name !== original) files.set(`schemas/shop/${name}.json`, [...area].find(([file]) => file.endsWith(`/${original}.json`))![1])
  fixing(name, from, to, files)
  if (to.includes('"gone"')) fixing('order.list', '"pay"', '"pay", "back", "forth"', files)
  if (to.includes('"gone"')) fixing('orderStatus.dictionary', '"choices": [', '"choices": [{ "value": "lost", "label": { "cn": "丢", "en": "Lost" } }, { "value": "gone", "label": { "cn": "去", "en": "Gone" } },', files)
  const { issues, warnings } = compileWithWarnings([...files].map(([path, text]) => ({ path, text })), { widgets, kinds, procedures })
  return [...issues, ...warnings]
}

test('the area has neither issue nor warning', () => {
  expect(issuesOf({ what: '', in: 'app', from: '{', to: '{', codes: '' }).map(({ message }) => message)).toEqual([])
})

test('the list has at least 95 slips', () => {
  expect(slips.length).toBeGreaterThanOrEqual(95)
})

test.each(slips)('$what', (slip) => {
  const found = issuesOf(slip)
  const codes = [...new Set(found.map(({ code }) => code))]
  expect(codes.filter((code) => slip.codes.split('|').includes(code)).length).toBeGreaterThan(0)
  expect(found.length).toBeLessThanOrEqual(2)
  expect(found.map(({ message }) => message).join('\n')).toContain(slip.says ?? '')
})

test.each(legal)('no warning of $what', (slip) => {
  expect(issuesOf({ ...slip, codes: '' }).map(({ message }) => message)).toEqual([])
})
