import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kinds } from '../../engine/screens/index.ts'
import { compileWithWarnings } from '../../engine/schema/compile.ts'
import { widgets } from '../../engine/widgets/index.ts'

const folder = (name: string) => join(import.meta.dirname, name)
const filesOf = (name: string) =>
  readdirSync(folder(name), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
    .map((path): [string, string] => [path.replaceAll('\\', '/'), readFileSync(join(folder(name), path), 'utf8')])

const [order, list, form, report] = ['order.entity', 'order.list', 'order.form', 'order.report'].map((name) => `schemas/shop/${name}.json`)

/** The issues of one mistake in an otherwise correct tree with a report: each sentence with its file and suggestion. */
function issuesOf(path: string, from: string, to: string): string[] {
  const files = new Map([...filesOf('sound'), ...filesOf('unknown-measure')])
  files.set(report, files.get(report)!.replace('"totl"', '"total"').replace('"-order"', '"-total"'))
  expect(files.get(path)).toContain(from)
  files.set(path, files.get(path)!.replace(from, to))
  const { issues, warnings } = compileWithWarnings([...files].map(([name, text]) => ({ path: name, text })), { widgets, kinds, procedures: [] })
  return [...issues, ...warnings].map(({ file, message }) => `${file.split('/').at(-1)}: ${message}`)
}

const badge = ', "badge": { "permission": "edit", "filter": { "status": "open" } }'
const condition = '"total > 100"'

test.each([
  ['a day against a moment', order, condition, '"paidAt >= today()"', []],
  ['a day for a moment', order, '"paidAt": "now()"', '"paidAt": "today()"', []],
  ['a user for a user', order, '"paidAt": "now()"', '"paidAt": "now()", "clerk": "coalesce(old.clerk, user.id)"', []],
  ['a month for an end of a range of moments', list, `${badge} },\n  "filters": ["number", "customer", "status"]`, ' },\n  "filters": [{ "field": "createdAt", "defaultFrom": ["month()", "today()"] }]', []],
  ['a section visible whenever its field is required', form, '"lines"] }', '"lines"] }, { "visibleWhen": "status == \'open\'", "fields": ["status"] }', []],
  ['a price in dollars', order, '"set": { "paidAt": "now()" }', '"confirm": { "cn": "收 $ {total}", "en": "US$ {total}" }', []],
  ['a user among users', order, condition, '"clerk in [createdBy, user.id] && clerk != null"', []],
])('%s is correct', (_, path, from, to, sentences) => {
  expect(issuesOf(path, from, to)).toEqual(sentences)
})

test.each([
  ['a text beside a reference', order, condition, `"customer == 'ACME'"`,
    ['order.entity.json: customer is the id of a customer, no text: a field with "computed": { "from": "customer.name" } reads its name.']],
  ['a part of a reference', order, condition, `"clerk.name == 'x'"`,
    ['order.entity.json: clerk is the id of a user, without parts: a field with "computed": { "from": "clerk.name" } reads its name.']],
  ['a misspelt permission', order, '"display": "number",', '"display": "number", "permissionLabels": { "approve": { "cn": "审核", "en": "Approve" } }, "actions": { "check": { "label": { "cn": "查", "en": "Check" }, "permission": "aprove", "update": ["clerk"] } },',
    ['order.entity.json: The permission "shop:order:aprove" has no label: add one under "permissionLabels", "aprove". Did you mean "approve"?']],
  ['a misspelt action', list, '"pay"', '{ "action": "pya", "review": ["pay"] }',
    ['order.list.json: order has no action "pya", and there is no link, drawer or review to say what it does. Did you mean "pay"? (schemas/shop/order.entity.json)']],
  ['a route of another screen', form, '"/order/edit"', '"/order"',
    ['order.form.json: order.list already has the route "/order". (schemas/shop/order.list.json)']],
  ['a duplicate field', form, '"discount", "lines"', '"discount", "total", "lines"',
    ['order.form.json: "total" is listed twice under "fields".']],
  ['a format of numbers', order, 'O{seq:4}', 'O{sq:4}',
    ['order.entity.json: "O{sq:4}" is malformed: it is written as SK{yyyyMMdd}{seq:4}, with yyyy, MM and dd of the date, and the number of digits behind seq.']],
  ['a list for one value', 'schemas/shop/order.entity.json', '"choices": "orderStatus", "readOnly": true', '"choices": "orderStatus", "readOnly": true, "default": ["open"]',
    ['order.entity.json: order.status does not accept ["open"]: one value belongs here, not a list.']],
  ['a bound with a comma', order, '"default": "0.00"', '"min": "1,5"',
    ['order.entity.json: "1,5" is malformed: it is written as 1234.50.']],
  ['a bad measure', report, '{ "sum": "total" }', '{ "formula": "profit * 2" }',
    ['order.report.json: "profit" is no measure that stands before this one. Allowed: orders.']],
  ['a measure of two kinds', report, '{ "sum": "total" }', '{ "sum": "total", "max": "total" }',
    ['order.report.json: Give exactly one of count, sum, avg, min, max, formula here.']],
  ['a duplicate key', 'schemas/app.json', '"home": "/order",', '"home": "/order", "home": "/order",',
    ['app.json: Duplicate key "home": the second would silently replace the first.']],
  ['an unrounded quotient', 'schemas/shop/customer.entity.json', '"fields": {', '"offered": { "half": { "between": ["1", null] } }, "fields": { "half": { "type": "money", "computed": "spent / 2", "label": { "cn": "一半", "en": "Half" } },',
    ['customer.entity.json: customer.half is computed on reading: the server cannot filter by it; it can where the quotient is rounded, as in round(a / b, 2).']],
  ['a function without one of its arguments', order, '"total - coalesce(discount, 0)"', '"round(total)"',
    ['order.entity.json: The arguments of round do not fit: round(value: decimal, digits: decimal): decimal.']],
  ['a word without its quotes', order, condition, '"status == paid"',
    ['order.entity.json: "paid" is neither a field of order nor a name of the expression language; write a text in single quotes: \'paid\'. (schemas/shop/order.entity.json)']],
  ['sorting by a field of an unknown type', 'schemas/shop/customer.entity.json', '"name": { "type": "text"', '"name": { "type": "txet"',
    ['customer.entity.json: There is no field type "txet". Did you mean "text"?']],
  ['a plain text for a label', list, '"title": { "cn": "订单", "en": "Orders" }', '"title": "Orders"',
    ['order.list.json: A text in each language belongs here, such as { "cn": "…", "en": "…" }, not a text.']],
  ['a sort order in words', list, '"-createdAt"', '"createdAt desc"',
    ['order.list.json: order has no field "createdAt desc". Did you mean "-createdAt"? (schemas/shop/order.entity.json)']],
  ['a sum of a text', report, '{ "sum": "total" }', '{ "sum": "number" }',
    ['order.report.json: order.number cannot be summed: only numbers and amounts add up.']],
  ['a reference to another entity', order, '"paidAt": "now()"', '"paidAt": "now()", "clerk": "customer"',
    ['order.entity.json: customer is an id of customer, but clerk is an id of user. Allowed: createdBy, updatedBy, user.id.']],
  ["a record's own id for a reference to another entity", order, '"paidAt": "now()"', '"paidAt": "now()", "clerk": "total > 5 ? user.id : id"',
    ['order.entity.json: id is an id of order, but clerk is an id of user. Allowed: createdBy, updatedBy, user.id.']],
  ['a department for a user', order, '"defaultFrom": "user.id"', '"defaultFrom": "user.department"',
    ['order.entity.json: user.department is an id of department, but clerk is an id of user. Allowed: createdBy, updatedBy, user.id.']],
  ['a number for a user', order, '"defaultFrom": "user.id"', '"defaultFrom": "coalesce(total, user.id)"',
    ['order.entity.json: total is a number, but clerk is an id of user. Allowed: createdBy, updatedBy, user.id.']],
  ['another reference in an added record', order, '"set": { "paidAt": "now()" }', '"append": [{ "entity": "orderLine", "set": { "order": "customer", "product": "number" } }]',
    ['order.entity.json: customer is an id of customer, but order is an id of order. Allowed: id.']],
  ['references of two entities', order, condition, '"clerk != old.customer"',
    ['order.entity.json: clerk is an id of user, but old.customer is an id of customer: their ids say nothing about each other.']],
  ['a row against another record', order, condition, '"lines.exists(line, line.order == customer)"',
    ['order.entity.json: line.order is an id of order, but customer is an id of customer: their ids say nothing about each other.']],
  ['a month for a moment', order, '"paidAt": "now()"', '"paidAt": "month()"',
    ['order.entity.json: month() is a month, but paidAt is a moment. Allowed: now().']],
  ['a month against a moment', order, condition, '"paidAt >= month()"',
    ['order.entity.json: paidAt is a moment, but month() is a month: they are written differently.']],
  ['days for a filter by months', 'schemas/shop/customer.entity.json', '"fields": {', '"fields": { "since": { "type": "month", "defaultFrom": "today()", "label": { "cn": "始", "en": "Since" } },',
    ['customer.entity.json: today() is a day, but since is a month. Allowed: month().']],
  ['a copied field that the other record lacks', order, '"fields": {', '"copies": { "by": "customer", "fields": ["total"] }, "fields": {',
    ['order.entity.json: customer has no field "total". Allowed: name, spent, createdBy, createdAt, updatedBy, updatedAt. (schemas/shop/customer.entity.json)']],
  ['an unknown kind of notice', 'schemas/shop/order.detail.json', '"tabs": [', '"notices": [{ "when": "status == \'open\'", "kind": "urgent", "title": { "cn": "未付", "en": "Open" } }], "tabs": [',
    ['order.detail.json: "urgent" is not allowed here. Allowed: info, warning, error.']],
])('%s is reported once, where it stands, with the correction', (_, path, from, to, sentences) => {
  expect(issuesOf(path, from, to)).toEqual(sentences)
})

test('of two screens with one route, the one in another area than the route says is blamed', () => {
  const files = new Map(filesOf('sound'))
  const route = '"route": "/shop/order"'
  files.set(list, files.get(list)!.replace('"route": "/order"', route))
  files.set('schemas/setting/buyer.list.json', `{ ${route}, "entity": "customer", "title": { "cn": "顾客", "en": "Customers" }, "columns": ["name"], "menu": { "order": 1 } }`)
  const { issues } = compileWithWarnings([...files].map(([path, text]) => ({ path, text })), { widgets, kinds, procedures: [] })
  expect(issues.filter(({ code }) => code === 'duplicate-route').map(({ file, message }) => [file, message]))
    .toEqual([['schemas/setting/buyer.list.json', 'order.list already has the route "/shop/order". (schemas/shop/order.list.json)']])
})
