import { expect, test } from 'vitest'
import { toldOf, type Edit } from './toldOf.ts'

test('the tree has neither issue nor warning', () => {
  expect(toldOf([])).toEqual([])
})

const field = (declared: string): Edit => ['order.entity', '"total": { "type": "money",', `${declared}, "total": { "type": "money",`]
const rule = (check: string): Edit => ['order.entity', '"total > 100"', JSON.stringify(check)]
const form: Edit = ['order.form', '"discount", "lines"', '"discount", "note", "lines"']

test.each<[what: string, edits: Edit[], told: string[]]>([
  // keys
  ['a misspelt required key', [['order.form', '"fields": [', '"feilds": [']],
    ['order.form.json:12 There is no key "feilds" here. Did you mean "fields"?']],
  ['a synonym of a missing key', [['orderStatus.dictionary', '"choices": [', '"values": [']],
    ['orderStatus.dictionary.json:3 There is no key "values" here. Did you mean "choices"?']],
  ['an unknown language in place of a missing one', [['order.entity', '{ "cn": "金额", "en": "Total" }', '{ "zh": "金额", "en": "Total" }']],
    ['order.entity.json:9 "zh" is no language of app.json. Did you mean "cn"?']],
  ['an option of another type', [['order.entity', '"default": "0.00"', '"maxLength": 5']],
    ['order.entity.json:9 A field of the type "money" has no key "maxLength". Allowed: negative, min, max, currency, hint, brought, required, requiredWhen, visibleWhen, readOnlyWhen, readOnly, default, defaultFrom, unique, uniqueWithin, ….']],
  // values of another type
  ['a word for true', [['order.entity', '"readOnly": true, "label": { "cn": "付款时间"', '"readOnly": "true", "label": { "cn": "付款时间"']],
    ['order.entity.json:14 True or false belongs here, not a text: write true, without quotes.']],
  ['a number in quotes', [['orderLine.entity', '"min": 1', '"min": "1"']],
    ['orderLine.entity.json:8 A whole number belongs here, not a text: write 1, without quotes.']],
  ['a number that is not whole', [['orderLine.entity', '"min": 1', '"min": 1.5']],
    ['orderLine.entity.json:8 A whole number belongs here, not 1.5.']],
  ['one word for a list', [['customer.entity', '"search": ["name"]', '"search": "name"']],
    ['customer.entity.json:4 A list belongs here, not a text: write ["name"].']],
  ['null without quotes', [['order.entity', '"paidAt": "now()"', '"paidAt": null']],
    ['order.entity.json:21 A formula in quotes belongs here, not null: write "null".']],
  ['values for the name of a dictionary', [['order.entity', '"choices": "orderStatus"', '"choices": ["open", "paid"]']],
    ['order.entity.json:13 The name of a dictionary belongs here, not a list.']],
  ['an empty list', [['customer.imports', '"key": ["code"]', '"key": []']],
    ['customer.imports.json:4 At least 1 item is needed here.']],
  ['a default for true or false in words', [field('"gift": { "type": "boolean", "default": "no", "label": { "cn": "礼品", "en": "Gift" } }')],
    ['order.entity.json:9 order.gift does not accept "no": it is true or false.']],
  ['a default that is not a date', [field('"on": { "type": "date", "default": "01/02/2026", "label": { "cn": "日期", "en": "On" } }')],
    ['order.entity.json:9 order.on does not accept "01/02/2026": a day is written as 2026-03-11.']],
  ['an invalid day in a condition', [field('"on": { "type": "date", "label": { "cn": "日期", "en": "On" } }'), rule("on > '2026-2-30'"), ['order.form', '"discount"', '"on", "discount"']],
    ['order.entity.json:10 order.on never holds "2026-2-30": a day is written as 2026-03-11.']],
])('%s is reported once, with the correction', (_, edits, told) => {
  expect(toldOf(edits)).toEqual(told)
})

test.each<[what: string, edits: Edit[], told: string[]]>([
  ['a formula where a condition belongs', [rule('total')],
    ['order.entity.json:10 This must be true or false, but it is a number.']],
  ['a function without its parentheses', [['order.entity', '"paidAt": "now()"', '"paidAt": "now"']],
    ['order.entity.json:21 "now" is neither a field of order nor a name of the expression language. Did you mean "now()"?']],
  ['a bare word for a text', [field('"note": { "type": "text", "label": { "cn": "备注", "en": "Note" } }'), form, ['order.entity', '"paidAt": "now()"', '"note": "later"']],
    ['order.entity.json:21 "later" is neither a field of order nor a name of the expression language; a text stands in single quotes: \'later\'. (schemas/shop/order.entity.json)']],
  ['days added by a sign', [field('"on": { "type": "date", "label": { "cn": "日期", "en": "On" } }'), ['order.form', '"discount"', '"on", "discount"'], rule('on + 30 > today()')],
    ['order.entity.json:10 on is a day, to which "+" adds nothing: addDays(on, 30) is that day.']],
  ['days subtracted from each other', [field('"on": { "type": "date", "label": { "cn": "日期", "en": "On" } }'), ['order.form', '"discount"', '"on", "discount"'], rule('today() - on > 3')],
    ['order.entity.json:10 today() is a day, from which "-" takes nothing: daysBetween(on, today()) counts the days.']],
  ['an unknown field of a reference', [rule("clerk.nmae == 'x'")],
    ['order.entity.json:10 clerk is the id of a user, and user has no field "nmae". Did you mean "name"? (schemas/setting/user.entity.json)']],
  ['a column with an unknown field of a reference', [['order.list', '    "customer",\n', '    "customer.nmae",\n']],
    ['order.list.json:8 customer, which customer points at, has no field "nmae". Did you mean "name"? (schemas/shop/customer.entity.json)']],
  ['a text for a reference', [['order.entity', '"defaultFrom": "user.id"', '"defaultFrom": "number"']],
    ['order.entity.json:8 number is a text, but clerk is an id of user. Allowed: createdBy, updatedBy, user.id.']],
  ['a reference to a misspelt entity', [['order.entity', '"entity": "user"', '"entity": "users"']],
    ['order.entity.json:8 There is no entity "users". Did you mean "user"?']],
  ['a list in a list', [rule("['open'] in ['open', 'paid']")],
    ["order.entity.json:10 \"in\" cannot be used on list and list: write ['open'].exists(one, one in ['open', 'paid'])."]],
  ['rows of a misspelt entity', [['order.entity', '"type": "rows", "entity": "orderLine"', '"type": "rows", "entity": "orderLin"']],
    ['order.entity.json:12 There is no entity "orderLin". Did you mean "orderLine"?']],
  ['a misspelt type of the reference that rows belong by', [['orderLine.entity', '"type": "reference"', '"type": "referense"']],
    ['orderLine.entity.json:6 There is no field type "referense". Did you mean "reference"?']],
  ['a reference to nothing', [['order.entity', '"entity": "user", ', '']],
    ['order.entity.json:8 The key "entity" is missing.']],
  ['a measure in a formula', [['order.report', '{ "sum": "total" }', '{ "sum": "total" }, "half": { "formula": "totl / 2", "type": "money", "label": { "cn": "半", "en": "Half" } }']],
    ['order.report.json:7 "totl" is no measure that stands before this one. Did you mean "total"?']],
])('in an expression, %s is reported once, with the correction', (_, edits, told) => {
  expect(toldOf(edits)).toEqual(told)
})

test.each<[what: string, edits: Edit[], told: string[]]>([
  ['a misspelt area', [['app', '"name": "shop"', '"name": "shpo"']],
    ['app.json:5 No file lies in the folder "shpo" of this area. Did you mean "shop"?']],
  ['a missing area', [['app', ',\n    { "name": "setting", "label": { "cn": "设置", "en": "Settings" } }', '']],
    ['department.entity.json:1 The folder "setting", of this and 4 other files, is no area of app.json. Allowed: shop. (schemas/app.json)']],
  ['a duplicate key in app.json', [['app', '"home": "/order",', '"home": "/order", "home": "/order",']],
    ['app.json:3 The key "home" is there twice; the second would silently win.']],
  ['a language without texts', [['app', '"home": "/order",', '"languages": ["cn", "en", "de"], "home": "/order",']],
    ['app.json:3 No other file has a text in the language "de": translate them, let "check --fix" fill them all in, marked, or remove it.']],
  ['a misspelt key of records', [['department.records', '"key": "name"', '"key": "nmae"']],
    ['department.records.json:3 department has no field "nmae". Did you mean "name"? (schemas/setting/department.entity.json)']],
  ['a duplicate value of a dictionary', [['orderStatus.dictionary', '"value": "paid"', '"value": "open"']],
    ['orderStatus.dictionary.json:5 "open" is there twice under "choices".']],
  ['an import into an unknown entity', [['customer.imports', '"into": "customer"', '"into": "custommer"'], ['customer.importDetail', '"parent"', '"result": "/order/detail?id={target}", "parent"']],
    ['customer.imports.json:2 There is no entity "custommer". Did you mean "customer"?']],
  ['a list without its entity', [['order.list', ' "entity": "order",', '']],
    ['order.list.json:1 A list shows records: the key "entity" must say which.']],
  ['a parameter of a link', [['order.list', '/order/detail?id={id}', '/order/detail?order={id}']],
    ['order.list.json:7 The screen order.detail takes no parameter "order". Did you mean "id"? (schemas/shop/order.detail.json)']],
  ['a screen without its kind', [['order.form', '"parent": "order.list"', '"parent": "order"']],
    ['order.form.json:4 There is no screen "order". Did you mean "order.list"?']],
  ['an unknown kind of file', [['order.list', 'shop/order.lst']],
    ['order.lst.json:1 There is no kind of file "lst". Did you mean "list"?']],
  ['a file without its kind', [['orderStatus.dictionary', 'shop/orderStatus']],
    ['orderStatus.json:1 A schema file is named <name>.<kind>.json, the name of letters and digits. Allowed: app, entity, dictionary, records, template, family, board, detail, form, importDetail, imports, list, report, settings, tabs.']],
  ['a name with a hyphen', [['order.entity', '"paidAt": { "type"', '"paid-at": { "type"']],
    ['order.entity.json:14 "paid-at" cannot be a name: it must start with a small letter and go on with letters and digits.']],
  ['an entity in the folder of another area', [['customer.entity', 'setting/customer.entity']],
    ['order.detail.json:6 Nothing declares the permission "shop:customer:view"; a new one gets its name under "permissionLabels". Did you mean "setting:customer:view"?']],
  ['an importDetail of an unknown entity', [['customer.importDetail', '"customer.imports", "title"', '"customer.import", "title"']],
    ['customer.importDetail.json:1 There is no screen "customer.import". Did you mean "customer.imports"?']],
  ['bounds that no value can meet', [['customer.entity', '"maxLength": 6', '"minLength": 9, "maxLength": 6'], ['customer.imports', '"columns": ["code"', '"columns": [{ "field": "code", "sample": "A12345" }']],
    ['customer.entity.json:6 No value is allowed: minLength is 9, but maxLength is 6.']],
])('%s is reported once, and no other file is blamed', (_, edits, told) => {
  expect(toldOf(edits)).toEqual(told)
})

test.each<[what: string, edits: Edit[], told: string[]]>([
  ['a text for a list of values', [rule("status in 'open'")],
    ['order.entity.json:10 "in" cannot be used on text and text: what follows it is a list, as in [\'open\'].']],
  ['a key near one of another kind of scope', [['order.entity', '"owners": ["clerk"], "departments": ["clerk.department"]', '"owner": ["clerk"]']],
    ['order.entity.json:4 There is no key "owner" here. Did you mean "owners"?']],
  ['a scope by a field that is not a department', [['order.entity', '"departments": ["clerk.department"]', '"departments": ["clerk"]']],
    ['order.entity.json:4 order.clerk is no reference to a department.']],
  ['a daily rule without effect', [['order.entity', '"states": {', '"daily": { "late": { "where": { "status": "open" } } }, "states": {']],
    ['order.entity.json:16 "late" does nothing: it has no "transition", "create", "notify" or "run".']],
  ['a sum without its entity', [['customer.entity', '"order.total"', '"total"']],
    ['customer.entity.json:8 "total" is not well formed: it is written as entity.field.']],
  ['a percent sign', [rule('total > discount * 6%')],
    ['order.entity.json:10 "%" is the remainder of a division: write 0.06 for 6%.']],
  ['a comma in a number', [rule('total > 0,06')],
    ['order.entity.json:10 "," cannot stand here: write ".".']],
  ['the word for !', [rule("not status == 'open'")],
    ['order.entity.json:10 "not" cannot stand here: write "!".']],
  ['an if', [['order.entity', '"total - coalesce(discount, 0)"', '"if(total > 5, total, 0)"']],
    ['order.entity.json:11 "if" is a reserved word and cannot be a name: write condition ? this : that.']],
  ['a between', [rule('total between 1 and 5')],
    ['order.entity.json:10 "between" cannot stand here: write total >= … && total <= ….']],
  ['another name of a function', [rule('length(number) > 3')],
    ['order.entity.json:10 There is no function "length". Did you mean "size"?']],
  ['an unknown step', [['order.entity', '"states": {', '"fourEyes": ["create", "paid"], "states": {']],
    ['order.entity.json:16 order has no action "paid". Allowed: create, edit, delete, pay. (schemas/shop/order.entity.json)']],
  ['an expression for a filter', [['order.list', '{ "filter": { "status": "open" } }', '{ "filter": "status == \'open\'" }']],
    ['order.list.json:4 A filter such as { "field": "value" } belongs here, not a text.']],
  ['a screen of one record that lacks the parameter', [['order.detail', '"parameters": ["id"]', '"parameters": []']],
    ['order.detail.json:5 The screen of one record needs the parameter "id".']],
  ['a column of an import by its heading', [['customer.imports', '{ "field": "name"', '{ "field": "名称"']],
    ['customer.imports.json:5 customer has no field "名称". Allowed: code, name, spent, createdBy, createdAt, updatedBy, updatedAt. (schemas/shop/customer.entity.json)']],
  ['a sort order by another name', [['order.list', '"-createdAt"', '"number,-created"']],
    ['order.list.json:12 order has no field "created". Did you mean "-createdAt"? (schemas/shop/order.entity.json)']],
  ['a field of the same stem', [['order.list', '    "status"\n', '    "state"\n']],
    ['order.list.json:10 order has no field "state". Did you mean "status"? (schemas/shop/order.entity.json)']],
  ['a second entity of a screen', [['order.list', '"entity": "order",', '"entity": "order", "entity": "customer",']],
    ['order.list.json:2 The key "entity" is there twice; the second would silently win.']],
  ['a required field of rows that is no column', [['order.entity', '["product", "quantity"]', '["quantity"]']],
    ['order.entity.json:12 orderLine.product is required in each row, but is not one of the columns that users fill in.']],
  ['more decimals than digits', [field('"weight": { "type": "decimal", "precision": 2, "scale": 4, "label": { "cn": "重", "en": "Weight" } }'), ['order.form', '"discount"', '"weight", "discount"']],
    ['order.entity.json:9 No value is allowed: scale is 4, but precision is 2.']],
  ['a bound with more digits than its field', [field('"weight": { "type": "decimal", "precision": 4, "max": 1000, "label": { "cn": "重", "en": "Weight" } }'), ['order.form', '"discount"', '"weight", "discount"']],
    ['order.entity.json:9 order.weight never holds 1000: at most 2 digits before the decimal point.']],
  ['rows of an unknown entity', [['orderLine.entity', '"rowOf": "order"', '"rowOf": "oder"']],
    ['orderLine.entity.json:4 There is no entity "oder". Did you mean "order"?']],
])('%s is reported once, with what it should be', (_, edits, told) => {
  expect(toldOf(edits)).toEqual(told)
})
