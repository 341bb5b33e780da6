/** A slip that affects many places is reported once, at its source. */
import { expect, test } from 'vitest'
import { issuesOf, type Edit } from './issuesOf.ts'

const detailLinks: Edit[] = [
  ['order.list', '    "customer",\n', '    { "field": "createdAt", "link": "/order/edit?type=edit&id={id}" }, "customer",\n'],
  ['order.detail', '"drawer": "customer.list" }', '"drawer": "customer.list" }, { "action": "change", "label": { "cn": "改", "en": "Change" }, "permission": "edit", "link": "/order/edit?type=edit&id={id}" }'],
]
const run: Edit = ['order.entity', '"states": {', '"actions": { "print": { "label": { "cn": "打印", "en": "Print" }, "run": "printAll" }, "tally": { "label": { "cn": "合计", "en": "Tally" }, "run": "tally" } }, "states": {']
const uses = { printAll: { order: ['number', 'total'] }, tally: { order: ['total'] } }

test.each<[what: string, edits: Edit[], expected: string[]]>([
  ['a missing form file', [['order.form']],
    ['order.list.json:13 "create" and "edit" need a screen of the kind "form" for order: there is no file order.form.json.']],
  ['a form without the mode', [['order.form', '"edit": { "mode": "edit"', '"edit": { "mode": "read"']],
    ['order.list.json:13 "edit" needs a screen of the kind "form" for order whose mode is "edit", and order.form has no such mode.']],
  ['a missing screen file', [['customer.list']],
    ['customer.imports.json:3 There is no screen "customer.list": no file is called customer.list.json. Allowed: customer.importDetail, customer.imports.',
      'order.detail.json:6 There is no screen "customer.list": no file is called customer.list.json. Allowed: customer.importDetail, customer.imports.']],
  ['a misspelt parameter of variants', [['order.form', '"variants": {\n    "type"', '"variants": {\n    "tpye"'], ...detailLinks],
    ['order.form.json:7 The screen declares no parameter "tpye". Did you mean "type"?']],
  ['a misspelt parameter that selects variants', [['order.form', '"parameters": ["type"]', '"parameters": ["tpye"]'], ...detailLinks],
    ['order.form.json:5 The variants are chosen by "type", which is not among the parameters.']],
  ['a misspelt parameter of one variant', [['order.form', '"parameters": ["type", "id"]', '"parameters": ["tpye", "id"]']],
    ['order.form.json:9 The variant "edit" is chosen by "type", which is not among its parameters.']],
  ['a misspelt parameter of a variant in a link', [...detailLinks, ['order.list', 'edit?type=edit&id', 'edit?tpye=edit&id']],
    ['order.list.json:8 The screen order.form takes no parameter "tpye". Did you mean "type"? (schemas/shop/order.form.json)']],
  ['a variant in a link', [...detailLinks, ['order.list', 'edit?type=edit&id', 'edit?type=edti&id']],
    ['order.list.json:8 The screen order.form has no variant "edti". Did you mean "edit"? (schemas/shop/order.form.json)']],
  ['a parameter beside a drawer', [['order.detail', '"drawer": "customer.list"', '"drawer": "order.form",\n"query": { "tpye": "add" }']],
    ['order.detail.json:7 The screen order.form takes no parameter "tpye". Did you mean "type"? (schemas/shop/order.form.json)']],
  ['a form without its route', [...detailLinks, ['order.form', '"route": "/order/edit", ', '']],
    ['order.form.json:1 A screen that links open as "/order/edit" needs a route.']],
  ['a screen in the menu without its route', [['order.list', '"route": "/order", ', '']],
    ['order.list.json:4 A screen in the menu needs a route.']],
  ['a screen of another entity', [['order.detail', '"entity": "order"', '"entity": "customer"']],
    ['order.detail.json:2 customer does not have the fields that this file names, but "order" has them all.']],
  ['a patch of a field that does not exist', [['parking.family', '"month": {', '"mnth": {']],
    ['parking.family.json:8 There is no "mnth" here that a patch could change, and it is incomplete as a new one. Did you mean "month"? (made by schemas/shop/parking.family.json)']],
  ['a key of a field inside its label', [['order.entity', '"金额", "en": "Total" }', '"金额", "en": "Total", "required": true }']],
    ['order.entity.json:9 A text belongs here, not true or false: "required" belongs beside "label", whose closing bracket stands too late.']],
  ['a field of a patch that lacks its type', [['parking.family', '"month": {', '"supplier": {']],
    ['parking.family.json:8 The key "type" is missing. (made by schemas/shop/parking.family.json)']],
])('%s is reported at its source', (_, edits, expected) => {
  expect(issuesOf(edits)).toEqual(expected)
})

test('an entity that a screen wrongly shows as settings is reported once', () => {
  const settings: Edit[] = [
    ['order.entity', '"total > 100"', '"total > 100 && settings.user.name != null"'],
  ]
  expect(issuesOf(settings, {}, { 'setting/user.settings': '{ "entity": "user", "title": { "cn": "设置", "en": "Settings" }, "sections": [{ "fields": ["name"] }] }' })).toEqual([
    'user.settings.json:1 user has many records: settings are the one record of an entity with "single": true.',
  ])
})

test('a missing field that procedures use is reported once, at its likely new name', () => {
  const renamed: Edit = ['order.entity', '"total": {', '"sum": {']
  const others = issuesOf([run, renamed], uses)
  expect(others.filter((text) => text.includes('procedure'))).toEqual([
    'order.entity.json:9 The procedures "printAll" and "tally" use order.total, which no file declares. If it is called "sum" now, say "was": "total" there; the code must follow.',
  ])
  const renamedIssues = issuesOf([run, ['order.entity', '"total": {', '"sum": { "was": "total",']], uses)
  expect(renamedIssues.filter((text) => text.includes('procedure'))).toEqual([
    'order.entity.json:9 The procedures "printAll" and "tally" use order.total, which is called "sum" now: the code must follow.',
  ])
})

test.each<[what: string, edit: Edit, expected: string]>([
  ['a condition', ['fee.entity', '"amount": { ', '"amount": { "hint": { "$if": "families.fee.exists(f, f.kye != null)", "$value": { "cn": "费", "en": "Fee" } }, '], 'There is no parameter "kye" (for schemas/shop/parking.family.json). Did you mean "key"?'],
  ['the set of families', ['fee.entity', '"amount": { ', '"amount": { "hint": { "$if": "families.fees.exists(f, f.key != null)", "$value": { "cn": "费", "en": "Fee" } }, '], 'There is no parameter "fees" (for schemas/shop/parking.family.json). Did you mean "fee"?'],
  ['a directive', ['fee.entity', '"amount": { ', '"amount": { "hint": { "$fi": "key != null", "$value": { "cn": "费", "en": "Fee" } }, '], '"$fi" cannot stand beside "$value" (for schemas/shop/parking.family.json). Did you mean "$if"?'],
])('in a template, a mistake in %s is reported once', (_, edit, expected) => {
  expect(issuesOf([edit])).toEqual([expect.stringContaining(expected)])
})
