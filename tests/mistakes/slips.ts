/**
 * Slips of an analyst in the first hours on an area of nine files: each changes one text of one file and names the
 * codes that report it. The area is `tests/mistakes/sound` with the files of a few cases.
 */
export interface Slip {
  what: string
  /** The file, without folders and `.json`. */
  in: string
  from: string
  to: string
  /** The codes that report it, separated by `|`. */
  told: string
}

const slip = (what: string, file: string, from: string, to: string, told: string): Slip => ({ what, in: file, from, to, told })

const pay = '"label": { "cn": "收款", "en": "Pay" }, "from": ["open"], "to": "paid",'
const total = '"total": { "type": "money", "default": "0.00",'
const visible = '"visibleWhen": "total > 100"'
const paidTag = '{ "value": "paid", "label": { "cn": "已付", "en": "Paid" }, "tag": "success" }'
const states = '"states": {'
const quantity = '"type": "integer", "min": 1,'
const product = '"product": { "type": "text", "required": true,'

export const slips: readonly Slip[] = [
  // states
  slip('a state that nothing enters', 'orderStatus.dictionary', paidTag, `${paidTag}, { "value": "lost", "label": { "cn": "丢失", "en": "Lost" }, "tag": "danger" }`, 'never-entered'),
  slip('states that only lead to each other', 'order.entity', '"transitions": {', '"transitions": { "back": { "label": { "cn": "退", "en": "Back" }, "from": ["lost"], "to": "gone" }, "forth": { "label": { "cn": "进", "en": "Forth" }, "from": ["gone"], "to": "lost" },', 'unreachable-state'),
  slip('a state without a way out', 'orderStatus.dictionary', ', "tag": "success"', '', 'dead-end'),
  slip('a transition to where it starts', 'order.entity', '"to": "paid"', '"to": "open"', 'idle-transition'),
  slip('a guard that contradicts "from"', 'order.entity', pay, `${pay} "guards": [{ "check": "status == 'paid'", "message": { "cn": "未付", "en": "Not paid" } }],`, 'contradicting-guard'),
  slip('a form that asks for its own state', 'order.entity', pay, `${pay} "form": ["status"],`, 'own-state-in-form'),
  slip('a form of an action whose condition hides its prompt', 'order.entity', states, `"actions": { "rebate": { "label": { "cn": "折", "en": "Rebate" }, "when": "total < 50", "form": ["discount"] } }, ${states}`, 'hidden-prompt'),
  slip('a form that asks for a computed field alone', 'order.entity', pay, `${pay} "form": ["due"],`, 'nothing-asked'),
  slip('a form of an action that asks for a computed field alone', 'order.entity', states, `"actions": { "remind": { "label": { "cn": "催", "en": "Remind" }, "form": ["due"], "set": { "paidAt": "now()" } } }, ${states}`, 'nothing-asked'),
  slip('a form that requires a computed field', 'order.entity', pay, `${pay} "form": ["clerk", { "field": "due", "required": true }],`, 'idle-key'),
  slip('a condition that contradicts "from"', 'order.entity', pay, `${pay} "when": "status == 'paid' && total > 0",`, 'contradicting-guard'),
  slip('"set" of the state that the transition sets', 'order.entity', '"set": { "paidAt": "now()"', `"set": { "status": "'open'", "paidAt": "now()"`, 'own-state-in-set'),
  slip('an action that chooses the state', 'order.entity', states, `"actions": { "remind": { "label": { "cn": "催", "en": "Remind" }, "update": ["status"] } }, ${states}`, 'past-transitions'),
  slip('an action that changes a computed field', 'order.entity', states, `"actions": { "remind": { "label": { "cn": "催", "en": "Remind" }, "update": ["clerk", "due"] } }, ${states}`, 'idle-update'),
  slip('a state that there is not', 'order.entity', '"from": ["open"]', '"from": ["opne"]', 'unknown-state'),
  slip('a first state that there is not', 'order.entity', '"initial": "open"', '"initial": "opened"', 'unknown-state'),
  slip('a state field without values', 'order.entity', '"states": {\n    "field": "status"', '"states": {\n    "field": "total"', 'not-a-choice'),
  slip('an allowed condition with an unknown state', 'order.entity', states, `"allow": { "delete": "status == 'opened'" }, ${states}`, 'unknown-choice'),
  slip('a guard that always holds', 'order.entity', pay, `${pay} "guards": [{ "check": "status == 'open' || true", "message": { "cn": "未付", "en": "Not paid" } }],`, 'always-true'),
  // values
  slip('min above max', 'orderLine.entity', quantity, '"type": "integer", "min": 10, "max": 1,', 'crossed-bounds'),
  slip('minLength above maxLength', 'orderLine.entity', product, '"product": { "type": "text", "required": true, "minLength": 9, "maxLength": 5,', 'crossed-bounds'),
  slip('min above max, with a default', 'orderLine.entity', quantity, '"type": "integer", "min": 10, "max": 1, "default": 5,', 'crossed-bounds'),
  slip('a pattern longer than maxLength', 'orderLine.entity', product, '"product": { "type": "text", "required": true, "pattern": "^[A-Z]{6}$", "maxLength": 5,', 'unmatchable-pattern'),
  slip('a percent as a fraction', 'order.entity', total, '"rate": { "type": "percent", "default": "0.06", "label": { "cn": "税率", "en": "Rate" } }, "total": { "type": "money", "default": "0.00",', 'share-for-percent'),
  slip('a money bound as a number', 'order.entity', total, '"total": { "type": "money", "max": 99.5, "default": "0.00",', 'inexact-amount'),
  slip('a range backwards', 'order.list', '"sort": "-createdAt"', '"sort": "-createdAt", "tabs": [{ "name": "big", "label": { "cn": "大额", "en": "Big" }, "filter": { "total": { "between": ["900", "100"] } } }]', 'crossed-range'),
  slip('a bound of a range that is no amount', 'order.list', '{ "status": "open" }', '{ "total": { "between": ["abc", null] } }', 'invalid-value'),
  slip('a bound of a range that is no date', 'order.list', '{ "status": "open" }', '{ "orderedOn": { "between": ["2026-13-01", null] } }', 'invalid-value'),
  slip('an empty list of values', 'order.list', '{ "status": "open" }', '{ "status": [] }', 'empty-values'),
  slip('a default above the maximum', 'orderLine.entity', quantity, '"type": "integer", "min": 1, "max": 5, "default": 9,', 'invalid-value'),
  slip('a pattern that is none', 'orderLine.entity', product, '"product": { "type": "text", "required": true, "pattern": "^[A-Z",', 'invalid-pattern'),
  slip('a word for a number', 'orderLine.entity', quantity, '"type": "integer", "min": "one",', 'wrong-type'),
  slip('a bound with a comma', 'order.entity', total, '"total": { "type": "money", "max": "1,5", "default": "0.00",', 'wrong-pattern'),
  slip('a format of numbers', 'order.entity', 'O{seq:4}', 'O{sq:4}', 'wrong-pattern'),
  slip('an impossible date as a bound', 'order.entity', '"paidAt": { "type": "datetime",', '"sentOn": { "type": "date", "min": "2026-02-30", "label": { "cn": "发货", "en": "Sent on" } }, "paidAt": { "type": "datetime",', 'refused-literal'),
  slip('a default that its dictionary lacks', 'order.entity', '"choices": "orderStatus",', '"choices": "orderStatus", "default": "opne",', 'unknown-choice'),
  // conditions
  slip('a misspelt value of a dictionary', 'order.entity', visible, `"visibleWhen": "status == 'opne'"`, 'unknown-choice'),
  slip('a misspelt value of a dictionary that may grow', 'order.entity', visible, `"visibleWhen": "channel == 'shopp'"`, 'unlisted-choice'),
  slip('a date in a condition that is none', 'order.entity', visible, `"visibleWhen": "orderedOn > '2026-13-01'"`, 'refused-literal'),
  slip('a date in a condition without zeros', 'order.entity', visible, `"visibleWhen": "orderedOn > '2026-3-1'"`, 'refused-literal'),
  slip('a day that there is not, given to a function', 'order.entity', visible, `"visibleWhen": "daysBetween('2026-02-30', orderedOn) > 3"`, 'impossible-day'),
  slip('a number outside the bounds of its field', 'orderLine.entity', quantity, '"type": "integer", "min": 1, "max": 5, "requiredWhen": "quantity > 9",', 'never-true'),
  slip('a percent as a fraction in a condition', 'order.entity', total, '"rate": { "type": "percent", "max": "100", "requiredWhen": "rate > 0.06", "label": { "cn": "税率", "en": "Rate" } }, "total": { "type": "money", "default": "0.00",', 'share-for-percent'),
  slip('a condition that always holds', 'order.entity', visible, `"visibleWhen": "status != 'open' || status == 'open'"`, 'always-true'),
  slip('a condition that compares a field with itself', 'order.entity', visible, '"visibleWhen": "total > total"', 'never-true'),
  slip('a condition that never holds', 'order.entity', visible, `"visibleWhen": "total > 5 && false"`, 'never-true'),
  slip('two bounds that nothing meets', 'order.entity', visible, '"visibleWhen": "total > 100 && total < 50"', 'never-true'),
  slip('two states at once', 'order.entity', visible, `"visibleWhen": "status == 'open' && status == 'paid'"`, 'two-at-once'),
  slip('not one or not the other', 'order.entity', visible, `"visibleWhen": "status != 'open' || status != 'paid'"`, 'always-true'),
  slip('a daily rule that contradicts itself', 'order.entity', states, `"daily": { "late": { "where": { "status": "open" }, "when": "status == 'paid'", "transition": "pay" } }, ${states}`, 'contradicting-daily'),
  slip('a daily rule from the wrong state', 'order.entity', states, `"daily": { "late": { "where": { "status": "paid" }, "transition": "pay" } }, ${states}`, 'contradicting-daily'),
  slip('an unknown role', 'order.entity', visible, `"visibleWhen": "'cashir' in user.roles"`, 'unlisted-role'),
  slip('a field that there is not', 'order.entity', visible, '"visibleWhen": "totl > 100"', 'unknown-name'),
  slip('a function that there is not', 'order.entity', visible, '"visibleWhen": "lenght(number) > 3"', 'unknown-name|expression-type|expression-syntax'),
  slip('one = for two', 'order.entity', visible, `"visibleWhen": "status = 'open'"`, 'expression-syntax'),
  slip('a text beside an amount', 'order.entity', visible, `"visibleWhen": "total > '100'"`, 'expression-type'),
  slip('a text beside a reference', 'order.entity', visible, `"visibleWhen": "customer == 'ACME'"`, 'expression-type'),
  slip('a part of a reference', 'order.entity', visible, `"visibleWhen": "clerk.name == 'x'"`, 'expression-type|unknown-name|dotted-field'),
  slip('a quote that is missing', 'order.entity', visible, `"visibleWhen": "status == 'open"`, 'expression-syntax'),
  slip('a formula where a condition belongs', 'order.entity', visible, '"visibleWhen": "total + 1"', 'expression-type'),
  slip('a rule that always holds', 'order.entity', states, `"rules": [{ "check": "total >= total", "at": "total", "message": { "cn": "错", "en": "Wrong" } }], ${states}`, 'always-true'),
  // imports
  slip('a required column that is missing', 'customer.imports', '"code", { "field": "name", "sample": "示例" }', '"code"', 'missing-column'),
  slip('a sample that its column refuses', 'customer.imports', '"code", {', '{ "field": "code", "sample": "A1234567" }, {', 'refused-sample'),
  slip('a key that is not unique', 'customer.imports', '"key": ["code"]', '"key": ["name"]', 'ambiguous-key'),
  slip('a key without a column', 'customer.imports', '["code", {', '[{', 'unlisted-column'),
  slip('a column that there is not', 'customer.imports', '"code", {', '"coed", {', 'unknown-field'),
  slip('a column that is computed', 'customer.imports', '"code", {', '"code", "spent", {', 'idle-column'),
  slip('a column twice', 'customer.imports', '"code", {', '"code", "code", {', 'duplicate-item|repeated-item'),
  // fields
  slip('read-only and required, but never set', 'order.entity', '"paidAt": { "type": "datetime", "readOnly": true,', '"due2": { "type": "date", "readOnly": true, "required": true, "label": { "cn": "到期", "en": "Due on" } }, "paidAt": { "type": "datetime", "readOnly": true,', 'unset-field'),
  slip('a required field of rows that is no column', 'order.entity', '["product", "quantity"]', '["quantity"]', 'hidden-required'),
  slip('visible by itself', 'order.entity', visible, '"visibleWhen": "discount > 5"', 'visible-by-itself'),
  slip('a field on no screen', 'order.entity', total, '"remark": { "type": "text", "label": { "cn": "备注", "en": "Remark" } }, "total": { "type": "money", "default": "0.00",', 'unshown-field'),
  slip('a sensitive field in the search', 'customer.entity', '"name": { "type": "text",', '"name": { "type": "text", "sensitive": true,', 'searched-secret'),
  slip('a sensitive field copied into one that is not', 'order.entity', total, '"total": { "type": "money", "sensitive": true, "default": "0.00",', 'unmasked-copy'),
  slip('a field type that there is not', 'order.entity', '"type": "datetime"', '"type": "timestamp"', 'unknown-widget'),
  slip('an option of another type', 'order.entity', total, '"total": { "type": "money", "maxLength": 5, "default": "0.00",', 'unknown-key'),
  slip('a reference to nothing', 'order.entity', '"entity": "customer"', '"entity": "custommer"', 'unknown-entity'),
  slip('a computed circle', 'order.entity', '"computed": "total - coalesce(discount, 0)"', '"computed": "due + 1"', 'computed-cycle'),
  slip('a word of SQL as a name', 'order.entity', '"paidAt": { "type"', '"paid-at": { "type"', 'invalid-name'),
  slip('a misspelt key', 'order.entity', '"readOnly": true, "label": { "cn": "付款时间"', '"readonly": true, "label": { "cn": "付款时间"', 'unknown-key'),
  slip('read-only and read-only under a condition', 'order.entity', total, '"total": { "type": "money", "readOnly": true, "readOnlyWhen": "status == \'paid\'", "default": "0.00",', 'idle-key'),
  slip('required and computed', 'order.entity', '"computed": "total - coalesce(discount, 0)"', '"required": true, "computed": "total - coalesce(discount, 0)"', 'idle-key'),
  slip('a display field that there is not', 'order.entity', '"display": "number"', '"display": "numbr"', 'unknown-field'),
  // texts
  slip('languages swapped', 'order.entity', '"label": { "cn": "金额", "en": "Total" }', '"label": { "cn": "Total", "en": "金额" }', 'swapped-languages'),
  slip('Chinese in the English text alone', 'order.entity', '"label": { "cn": "金额", "en": "Total" }', '"label": { "cn": "金额", "en": "金额" }', 'untranslated'),
  slip('English in the Chinese text alone', 'order.entity', '"label": { "cn": "金额", "en": "Total" }', '"label": { "cn": "Total", "en": "Total" }', 'untranslated'),
  slip('one label for two fields', 'order.entity', '"label": { "cn": "折扣", "en": "Discount" }', '"label": { "cn": "金额", "en": "Total" }', 'same-label'),
  slip('one label for two fields in one language', 'order.entity', '"label": { "cn": "折扣", "en": "Discount" }', '"label": { "cn": "金额", "en": "Discount" }', 'same-label'),
  slip('one label for two values', 'orderStatus.dictionary', '{ "cn": "已付", "en": "Paid" }', '{ "cn": "未付", "en": "Open" }', 'same-choice-label'),
  slip('one label for two values in one language', 'orderStatus.dictionary', '{ "cn": "已付", "en": "Paid" }', '{ "cn": "未付", "en": "Paid" }', 'same-choice-label'),
  slip('a placeholder in one language', 'order.entity', '"en": "{number} is late"', '"en": "An order is late"', 'uneven-placeholders'),
  slip('a placeholder that nothing fills', 'order.entity', '"cn": "{number}逾期", "en": "{number} is late"', '"cn": "{nubmer}逾期", "en": "{nubmer} is late"', 'unknown-placeholder|unknown-field'),
  slip('a language that is missing', 'order.entity', '"label": { "cn": "金额", "en": "Total" }', '"label": { "cn": "金额" }', 'missing-language'),
  slip('an empty text', 'order.entity', '"label": { "cn": "金额", "en": "Total" }', '"label": { "cn": "金额", "en": "" }', 'empty-label'),
  slip('a language of no app', 'order.entity', '"label": { "cn": "金额", "en": "Total" }', '"label": { "cn": "金额", "en": "Total", "fr": "Total" }', 'unknown-language'),
  // the rest
  slip('a link with the id of another entity', 'customer.list', '"name", "spent"', '{ "field": "name", "link": "/order/detail?id={id}" }, "spent"', 'foreign-id'),
  slip('a message that nobody receives', 'order.entity', '"type": "orderPaid"', '"type": "orderLate"', 'unreceived-message'),
  slip('a message to what is no user', 'order.entity', '"to": "clerk", "title"', '"to": "customer", "title"', 'not-a-reference'),
  slip('a message of no type', 'order.entity', '"type": "orderPaid"', '"type": "orderPayed"', 'unknown-message-type'),
  slip('a role that edits without seeing', 'role.records', '"shop:*:*"', '"shop:customer:edit"', 'edit-without-view'),
  slip('a permission that there is not', 'role.records', '"shop:*:*"', '"shop:custmer:view"', 'unknown-permission|invalid-value'),
  slip('an action without effect', 'order.entity', states, `"actions": { "remind": { "label": { "cn": "催", "en": "Remind" } } }, ${states}`, 'idle-action'),
  slip('a place in the menu twice', 'customer.list', '"sort": "name"', '"sort": "name", "route": "/customer", "menu": { "order": 10 }', 'same-menu-order'),
  slip('a field in the header and in a tab', 'order.detail', '"tabs": [', '"header": ["due"], "tabs": [', 'shown-twice'),
  slip('a dotted field', 'order.list', '"customer",\n', '"customer.name",\n', 'dotted-field'),
  slip('a misspelt action', 'order.list', '"pay"', '"pya"', 'unknown-action'),
  slip('a route twice', 'order.form', '"/order/edit"', '"/order"', 'duplicate-route'),
  slip('a field twice', 'order.form', '"discount", "lines"', '"discount", "total", "lines"', 'duplicate-item'),
  slip('a column twice in a list', 'order.list', '    "status"\n', '    "status", "customer"\n', 'duplicate-item'),
  slip('a key twice', 'app', '"home": "/order",', '"home": "/order", "home": "/order",', 'duplicate-key'),
  slip('a comma that is missing', 'order.list', '"title": { "cn": "订单", "en": "Orders" },', '"title": { "cn": "订单", "en": "Orders" }', 'syntax'),
  slip('a link with a parameter that its screen lacks', 'order.list', '/order/detail?id={id}', '/order/detail?ident={id}', 'unknown-parameter|missing-parameter'),
  slip('a link to no screen', 'order.list', '/order/detail?id={id}', '/order/details?id={id}', 'unknown-route'),
  slip('a parent that there is not', 'order.form', '"parent": "order.list"', '"parent": "orders.list"', 'unknown-screen'),
  slip('a sum of a text', 'customer.list', '"name", "spent"', '{ "field": "name", "sum": true }, "spent"', 'not-summable'),
  slip('a sort by what there is not', 'order.list', '"-createdAt"', '"-createdOn"', 'unknown-field'),
  slip('a tag that there is not', 'orderStatus.dictionary', '"tag": "success"', '"tag": "green"', 'not-allowed-value'),
  slip('a value twice', 'orderStatus.dictionary', '"value": "paid"', '"value": "open"', 'duplicate-item|repeated-item'),
  // mistakes that were not reported at first
  slip('a field that only the detail shows', 'order.form', '"discount", "lines"', '"discount"', 'unshown-field'),
  slip('a link for several records where there is one', 'order.list', '/order/detail?id={id}', '/order/detail?id={ids}', 'unknown-field'),
  slip('a date compared with a number', 'order.entity', '"total > 100"', '"orderedOn > 5"', 'expression-type'),
  slip('a key of a field beside the fields', 'order.entity', '"total": { "type": "money",', '"was": "sum", "total": { "type": "money",', 'wrong-type'),
  slip('a label inside what is computed', 'customer.entity', '"by": "customer" }, "label": { "cn": "累计消费", "en": "Spent" } }', '"by": "customer", "label": { "cn": "累计消费", "en": "Spent" } } }', 'unknown-key'),
  slip('Chinese in the English of a family', 'parking.family', '"en": "Fine"', '"en": "罚款"', 'untranslated'),
  slip('a default beside a formula for it', 'order.entity', '"defaultFrom": "user.id"', '"default": 1, "defaultFrom": "user.id"', 'idle-key|invalid-value'),
  slip('an empty label of what is imported', 'customer.entity', '"en": "Name"', '"en": ""', 'empty-label'),
  slip('a transition called as another', 'order.entity', '"transitions": {', '"transitions": { "waive": { "label": { "cn": "收款", "en": "Waive" }, "from": ["paid"], "to": "open" },', 'same-choice-label'),
  slip('a customer for a clerk', 'order.entity', '"set": { "paidAt": "now()"', '"set": { "clerk": "customer", "paidAt": "now()"', 'expression-type'),
  slip('a month for a day', 'order.entity', '"orderedOn": { "type": "date",', '"orderedOn": { "type": "date", "defaultFrom": "month()",', 'expression-type'),
  slip('a list in the menu that needs a parameter', 'order.list', '"entity": "order",', '"entity": "order", "parameters": ["customer"],', 'missing-from-menu'),
  slip('steps in the wrong order', 'order.entity', states, `"fourEyes": ["pay", "create"], ${states}`, 'idle-step'),
  slip('an added record without what it needs', 'order.entity', '"set": { "paidAt": "now()"', '"append": [{ "entity": "orderLine", "set": { "order": "id" } }], "set": { "paidAt": "now()"', 'incomplete-record'),
  slip('braces of another tool', 'order.entity', pay, `${pay} "confirm": { "cn": "收{{number}}？", "en": "Pay {{number}}?" },`, 'stray-brace'),
  slip('a condition on a record above the list', 'order.list', '"create", ', '{ "action": "create", "shownWhen": "total > 100" }, ', 'idle-key'),
]
