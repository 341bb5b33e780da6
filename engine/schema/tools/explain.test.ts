import { expect, test } from 'vitest'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { eject, explain } from './explain.ts'
import type { Explanation } from './explained.ts'
import type { SourceText } from '../reading/SourceFile.ts'
import { soundSources } from '../../../tests/soundTree.ts'

const lists = { widgets, kinds, procedures: [] }
const sound = soundSources()
const roles: SourceText[] = [
  {
    path: 'schemas/setting/role.entity.json',
    text: `{ "label": { "cn": "角色", "en": "Role" }, "display": "code", "fields": {
    "code": { "type": "text", "label": { "cn": "标识", "en": "Code" } }, "grants": { "type": "permission-tree", "label": { "cn": "权限", "en": "Grants" } } } }`,
  },
  {
    path: 'schemas/setting/role.records.json',
    text: `{ "entity": "role", "key": "code", "rows": [
    { "code": "clerk", "grants": ["shop:order:view", "shop:order:pay"] },
    { "code": "manager", "grants": ["shop:*:*"] },
    { "code": "porter", "grants": ["setting:role:view"] }
  ] }`,
  },
]
const sources = [...sound, ...roles]

function explained(query: string): Explanation {
  const answer = explain(query, sources, lists)
  if (!('explanation' in answer)) throw new Error(JSON.stringify(answer))
  return answer.explanation
}
/** The lines of a section, each with its place. */
const linesOf = ({ sections }: Explanation, title: string) =>
  (sections.find((section) => section.title === title)?.lines ?? []).map(({ text, at }) =>
    at ? `${text} @ ${at.file.replace('schemas/', '')}:${at.line}` : text,
  )

test('explains a field: its column, checks, uses and permissions', () => {
  const total = explained('order.total')
  expect(total).toMatchObject({
    kind: 'field',
    name: 'order.total',
    label: { cn: '金额', en: 'Total' },
    at: { file: 'schemas/shop/order.entity.json', line: 9 },
  })
  expect(linesOf(total, 'Becomes')).toEqual([
    expect.stringMatching(/^column order\.total numeric/),
    'read at GET /shop/order/list, /shop/order/detail, /shop/order/history, /shop/order/export',
    'written at POST /shop/order/create, /shop/order/update',
  ])
  expect(linesOf(total, 'Checks on its values')).toEqual(['default: 0.00 @ shop/order.entity.json:9'])
  expect(linesOf(total, 'Is used by')).toEqual([
    'customer.entity › fields › spent › computed @ shop/customer.entity.json:7',
    'order.entity › fields › discount @ shop/order.entity.json:10',
    'order.entity › fields › due @ shop/order.entity.json:11',
    'order.form › sections › fields @ shop/order.form.json:12',
  ])
  expect(linesOf(total, 'Who may see it')).toEqual([
    'sees it: clerk by shop:order:view @ setting/role.records.json:2',
    'sees it: manager by shop:*:* @ setting/role.records.json:3',
  ])
  expect(linesOf(total, 'Who may write it')).toEqual([
    'in a new record: manager by shop:*:* @ setting/role.records.json:3',
    'later: manager by shop:*:* @ setting/role.records.json:3',
  ])
})

test('explains fields that are no columns, that the system writes, or that a family makes', () => {
  expect(linesOf(explained('order.lines'), 'Becomes')[0]).toBe('rows in the table orderLine, by order')
  expect(linesOf(explained('customer.spent'), 'Becomes')[0]).toBe('no column: it is worked out on reading')
  const paid = explained('order.paidAt')
  expect(linesOf(paid, 'Becomes').at(-1)).toBe('set at POST /shop/order/pay')
  expect(linesOf(paid, 'Who may write it')).toEqual(['the system alone'])
  expect(linesOf(explained('order.createdAt'), 'Is')).toContain('every record has it; the system writes it')
  expect(explained('parkingFee.amount').at).toEqual({
    file: 'schemas/shop/fee/fee.entity.json',
    line: 6,
    note: '(made by schemas/shop/parking.family.json)',
  })
})

test('explains a screen: its parts with their places, buttons, endpoints, and who may open it', () => {
  const list = explained('/order?page=2')
  expect(list).toEqual(explained('order.list'))
  expect(list).toMatchObject({ kind: 'screen', name: '/order', at: { file: 'schemas/shop/order.list.json', line: 1 } })
  expect(linesOf(list, 'Is')).toEqual([
    'screen order.list, of the kind list @ shop/order.list.json:1',
    'in the menu of shop, at 10 @ shop/order.list.json:4',
    'shows 订单 · Order (entity order) @ shop/order.entity.json:1',
    'kept in the table order',
  ])
  expect(linesOf(list, 'Shows the fields')).toContain(
    'columns: order.due 应付 · Due, money (schemas/shop/order.entity.json:11) @ shop/order.list.json:9',
  )
  expect(linesOf(list, 'Offers')).toContain(
    '收款 · Pay (pay): POST /shop/order/pay, takes shop:order:pay @ shop/order.list.json:13',
  )
  expect(linesOf(list, 'Calls')).toEqual(['/shop/order/list'])
  expect(linesOf(list, 'Who may open it')[0]).toBe('takes shop:order:view')
  expect(linesOf(explained('/order/edit'), 'Is')).toContain('type=edit: 编辑订单 · Edit order @ shop/order.form.json:9')
})

test('explains a permission: what it opens and who has it', () => {
  const pay = explained('shop:order:pay')
  expect(pay).toMatchObject({
    kind: 'permission',
    label: { cn: '订单 / 收款', en: 'Order / Pay' },
    at: { file: 'schemas/shop/order.entity.json' },
  })
  expect(linesOf(pay, 'Answers at the endpoints')).toEqual(['POST /shop/order/pay @ shop/order.entity.json:19'])
  expect(linesOf(pay, 'Shows the buttons')).toEqual(['收款 · Pay on /order @ shop/order.list.json:13'])
  expect(linesOf(pay, 'Who may')).toEqual([
    'clerk by shop:order:pay @ setting/role.records.json:2',
    'manager by shop:*:* @ setting/role.records.json:3',
  ])
  expect(linesOf(explained('shop:order:view'), 'Opens the screens').map((line) => line.split(' ')[0])).toEqual([
    '/order/detail',
    '/order',
  ])
})

test.each([
  ['/ordr', 'There is no route "/ordr". Did you mean "/order"?'],
  ['order.totl', 'order has no field "totl". Did you mean "total"? (schemas/shop/order.entity.json)'],
  ['shop:order:pai', 'There is no permission "shop:order:pai". Did you mean "shop:order:pay"?'],
  ['order.lst', expect.stringContaining('order has no field "lst"')],
  [
    'ordr.total',
    'There is no route, screen, field, permission, family, template or other name "ordr.total". Did you mean "order.total"?',
  ],
])('refuses the unknown name %s with a suggestion', (query, refused) => {
  expect(explain(query, sources, lists)).toEqual({ refused })
})

test('explains nothing if the files have issues', () => {
  expect(explain('/order', [...sources, { path: 'schemas/shop/a.list.json', text: '{' }], lists)).toMatchObject({
    issues: [{ code: 'syntax' }],
  })
})

test('explains a family: its template, what it makes, which files use it, and who may', () => {
  const family = explained('parking')
  expect(family).toMatchObject({ kind: 'family', name: 'parking', label: { cn: '停车费', en: 'Parking fee' } })
  expect(linesOf(family, 'Is made of')).toEqual(['the template fee'])
  expect(linesOf(family, 'Makes the entities')[0]).toContain('parkingFee @ shop/fee/fee.entity.json')
  expect(linesOf(family, 'Who may').join()).toContain('manager: ')
  expect(explain('parkin', sources, lists)).toEqual({ refused: expect.stringContaining('Did you mean "parking"?') })
})

test('explains a template: what its families must and may say, and what it makes of that', () => {
  const template = explained('fee')
  expect(template).toMatchObject({ kind: 'template', name: 'fee', label: { cn: '费用', en: 'Fee' } })
  expect(template.at?.file).toBe('schemas/shop/fee/fee.template.json')
  expect(linesOf(template, 'Families')).toEqual(['parking @ shop/parking.family.json:1'])
  expect(linesOf(template, 'A family must say')).toEqual([
    'key @ shop/fee/fee.template.json:9',
    'cn @ shop/fee/fee.template.json:10',
    'en @ shop/fee/fee.template.json:11',
  ])
  expect(linesOf(template, 'A family may say')).toEqual(
    ['extras · default []', 'extras › key', 'extras › cn', 'extras › en'].map(
      (line) => `${line} @ shop/fee/fee.template.json:12`,
    ),
  )
  expect(linesOf(template, 'Makes the files')).toEqual(['fee.entity as ${key}Fee'])
})

test('writes out what a family makes', () => {
  const found = eject('parking', sources, lists)
  const files = 'files' in found ? found.files : []
  expect(files.map(({ path }) => path)).toEqual(['shop/parkingFee.entity.json'])
  expect(files[0].text).not.toContain('${')
  expect(eject('parkin', sources, lists)).toEqual({ refused: 'There is no family "parkin". Did you mean "parking"?' })
})

test('explains everything else with a name, and what would break without it', () => {
  const breaks = (query: string) => linesOf(explained(query), 'Would break if it went')
  expect(explained('customer')).toMatchObject({ kind: 'entity', at: { file: 'schemas/shop/customer.entity.json' } })
  expect(linesOf(explained('orderStatus'), 'Values')).toEqual([
    'open: 未付 · Open @ shop/orderStatus.dictionary.json:4',
    'paid: 已付 · Paid @ shop/orderStatus.dictionary.json:5',
  ])
  expect(breaks('customer')).toContain('order.entity › fields › customer › entity @ shop/order.entity.json:7')
  expect(breaks('orderStatus')).toEqual(['order.entity › fields › status › choices @ shop/order.entity.json:13'])
  expect(breaks('orderStatus.open')).toEqual([
    'order.entity › states › initial @ shop/order.entity.json:17',
    'order.entity › states › transitions › pay › from @ shop/order.entity.json:20',
    'order.list › menu › badge › filter @ shop/order.list.json:4',
  ])
  expect(explained('order.pay')).toMatchObject({ kind: 'transition', at: { line: 19 } })
  expect(linesOf(explained('order.pay'), 'Leads')).toEqual(['status: open → paid'])
  expect(linesOf(explained('order.pay'), 'Does')).toContain('sets paidAt to now()')
  expect(breaks('order.pay')).toEqual(['order.list › actions › action @ shop/order.list.json:13'])
  expect(linesOf(explained('manager'), 'Is granted')).toEqual(['shop:*:*'])
  const shop = explained('shop')
  expect(linesOf(shop, 'Has the files')).toContain('order.list @ shop/order.list.json:1')
  expect(breaks('shop'), 'only roles name it outside').toEqual([
    'role.records › clerk › grants (shop:order:view, shop:order:pay) @ setting/role.records.json:2',
    'role.records › manager › grants (shop:*:*) @ setting/role.records.json:3',
  ])
  expect(breaks('setting')).toEqual(['order.entity › fields › clerk › entity @ shop/order.entity.json:8'])
})

test('explains what preset roles name: message types and areas', () => {
  const shop = `{ "label": { "cn": "消息", "en": "Message" }, "display": "type", "fields": {
    "type": { "type": "choice", "choices": "topic", "label": { "cn": "类型", "en": "Type" } } } }`
  const topics = `{ "label": { "cn": "消息类型", "en": "Topics" }, "choices": [{ "value": "paid", "label": { "cn": "已付", "en": "Paid" } }] }`
  const withTopics = roles.map(({ path, text }) => ({
    path,
    text: text
      .replace(
        '"grants": {',
        '"topics": { "type": "choices", "choices": "topic", "label": { "cn": "消息", "en": "Topics" } }, "grants": {',
      )
      .replace('"code": "clerk",', '"code": "clerk", "topics": ["paid"],'),
  }))
  const all = [
    ...sound,
    ...withTopics,
    { path: 'schemas/setting/message.entity.json', text: shop },
    { path: 'schemas/setting/topic.dictionary.json', text: topics },
  ]
  const breaks = (query: string) => {
    const answer = explain(query, all, lists)
    return 'explanation' in answer ? linesOf(answer.explanation, 'Would break if it went') : answer
  }
  expect(breaks('paid')).toEqual(['role.records › clerk › topics @ setting/role.records.json:2'])
  expect(breaks('topic.paid')).toEqual(['role.records › clerk › topics @ setting/role.records.json:2'])
  expect(breaks('shop')).toEqual([
    'role.records › clerk › grants (shop:order:view, shop:order:pay) @ setting/role.records.json:2',
    'role.records › manager › grants (shop:*:*) @ setting/role.records.json:3',
  ])
})

test('explains a field that every record has', () => {
  const created = explained('createdAt')
  expect(created).toMatchObject({ kind: 'field', name: 'createdAt', label: { en: 'Created at' } })
  expect(linesOf(created, 'Is')).toContain('every record has it; the system writes it')
  expect(explain('createdAtt', sources, lists)).toEqual({
    refused: expect.stringContaining('Did you mean "createdAt"?'),
  })
})

test('explains a download, and an ambiguous name', () => {
  const paper = `{ "label": { "cn": "单据", "en": "Paper" }, "display": "number", "fields": {
    "number": { "type": "text", "label": { "cn": "编号", "en": "Number" } }, "scan": { "type": "file", "label": { "cn": "扫描件", "en": "Scan" } } },
    "downloads": { "take": { "label": { "cn": "下载", "en": "Take" }, "permission": "view", "files": "scan" } } }`
  const app = sources.find(({ path }) => path.endsWith('app.json'))!
  const areas = {
    ...app,
    text: app.text.replace(
      '{ "name": "setting"',
      '{ "name": "customer", "label": { "cn": "客户", "en": "Customers" } },\n    { "name": "setting"',
    ),
  }
  const all = [
    ...sources.filter((source) => source !== app),
    areas,
    { path: 'schemas/setting/paper.entity.json', text: paper },
  ]
  const explained = (query: string) => {
    const answer = explain(query, all, lists)
    return 'explanation' in answer ? answer.explanation : answer
  }
  expect(explained('paper.take')).toMatchObject({
    kind: 'download',
    at: { file: 'schemas/setting/paper.entity.json', line: 3 },
    sections: [{ lines: [{ text: 'GET /setting/paper/take, with the permission setting:paper:view' }] }, {}, {}],
  })
  expect(explained('paper.taek')).toEqual({ refused: expect.stringContaining('Did you mean "take"?') })
  expect(explained('customer')).toMatchObject({
    kind: 'entity',
    sections: [{ title: 'Is also', lines: [{ text: 'customer.area 客户 · Customers' }] }, {}, {}, {}, {}],
  })
  expect(explained('customer.area')).toMatchObject({ kind: 'area', label: { en: 'Customers' } })
})

test('explains what would break without a screen, a permission or a family', () => {
  const breaking = (query: string) => linesOf(explained(query), 'Would break if it went')
  expect(breaking('/order/detail')).toEqual(['order.list › columns › link @ shop/order.list.json:7'])
  expect(breaking('order.list')).toEqual([
    'order.detail › parent @ shop/order.detail.json:4',
    'order.form › parent @ shop/order.form.json:4',
  ])
  expect(breaking('shop:order:pay')).toEqual(['role.records › clerk › grants @ setting/role.records.json:2'])
  expect(breaking('parking')).toEqual(['nothing'])
  const using = (path: string) => `{ "label": { "cn": "账", "en": "Bill" }, "display": "no", "fields": {
    "no": { "type": "text", "label": { "cn": "号", "en": "No" } },
    "fee": { "type": "reference", "entity": "${path}", "label": { "cn": "费", "en": "Fee" } } } }`
  const answer = explain(
    'parking',
    [...sources, { path: 'schemas/shop/bill.entity.json', text: using('parkingFee') }],
    lists,
  )
  const lines = 'explanation' in answer ? linesOf(answer.explanation, 'Would break if it went') : []
  expect(lines).toEqual(['bill.entity › fields › fee › entity @ shop/bill.entity.json:3'])
})
