import { expect, test } from 'vitest'
import { widgets } from '../widgets/index.ts'
import type { Dictionary, Field, RecordData, Rule } from '../model/model.ts'
import { checkAt, checkRecord, checkRules } from './verdict.ts'
import { inputs } from './conditions.ts'
import { isSame, normalizeRecord } from './normalizeRecord.ts'
import { requiredProblem, worded } from './worded.ts'
import type { VerdictContext, VerdictEntity } from './VerdictContext.ts'

const label = (name: string) => ({ cn: name, en: name })
const field = (name: string, type: string, rest: Partial<Field> = {}): Field => ({
  name,
  type,
  label: label(name),
  required: false,
  readOnly: false,
  unique: false,
  sensitive: false,
  ...rest,
  options: rest.options ?? {},
})
const entity = (name: string, fields: Field[], rules: Rule[] = []): VerdictEntity => ({
  name,
  fields: Object.fromEntries(fields.map((each) => [each.name, each])),
  rules,
})
const context = (rest: Partial<VerdictContext> = {}): VerdictContext => ({
  widgets,
  entities: {},
  dictionary: (name): Dictionary => ({ name, label: label(name), choices: [], mayGrow: false }),
  now: () => '2026-03-10 09:00:00',
  ...rest,
})
const text = { maxLength: 20, trim: true }
const found = (entity: VerdictEntity, values: RecordData, rest: Partial<VerdictContext> = {}) =>
  checkRecord(entity, values, context(rest)).map(({ field, code }) => `${field} ${code}`)

test('the required message is worded as for the widget', () => {
  expect(requiredProblem(widgets.text, { cn: '名称', en: 'Name' })).toEqual({
    code: 'required',
    message: { cn: '请输入名称', en: 'Please enter Name' },
  })
  expect(requiredProblem(widgets.choice, { cn: '类型', en: 'Type' }).message).toEqual({
    cn: '请选择类型',
    en: 'Please select Type',
  })
  expect(requiredProblem(widgets.image, { cn: '图片', en: 'Pictures' }).message).toEqual({
    cn: '请上传图片',
    en: 'Please upload Pictures',
  })
})

test('checks required fields, also by condition, but not while invisible or locked', () => {
  const thing = entity('thing', [
    field('always', 'text', { options: text, required: true }),
    field('asked', 'text', { options: text, requiredWhen: "always == 'x'" }),
    field('hidden', 'text', { options: text, required: true, visibleWhen: "always == 'x'" }),
    field('locked', 'text', { options: text, required: true, readOnlyWhen: "always == 'x'" }),
    field('given', 'text', { options: text, required: true, readOnly: true }),
    field('computed', 'text', { options: text, required: true, computed: { kind: 'formula', formula: 'always' } }),
  ])
  expect(found(thing, { always: '  ' })).toEqual(['always required', 'locked required'])
  expect(found(thing, { always: ' x ' })).toEqual(['asked required', 'hidden required'])
})

test('a value is checked by its widget, in canonical form', () => {
  const thing = entity('thing', [field('a', 'text', { options: text })])
  expect(found(thing, { a: `  ${'长'.repeat(20)} ` })).toEqual([])
  expect(found(thing, { a: '长'.repeat(21) })).toEqual(['a maxLength'])
})

test('rows are checked like records, each problem at its index, including values that must differ', () => {
  const line = entity(
    'line',
    [
      field('thing', 'reference', { options: { entity: 'thing' }, required: true }),
      field('name', 'text', { options: text, required: true }),
      field('code', 'text', { options: text, uniqueWithin: 'thing', requiredWhen: "name == 'x'" }),
    ],
    [{ check: "name != 'bad'", at: 'name', message: label('rule') }],
  )
  const thing = entity('thing', [
    field('lines', 'rows', { options: { entity: 'line', by: 'thing', columns: ['name', 'code'] } }),
  ])
  const entities = { line }
  expect(
    found(
      thing,
      { lines: [{ name: '一', code: 'A' }, { name: '' }, { name: 'x' }, { name: 'bad', code: ' A ' }] },
      { entities },
    ),
  ).toEqual(['lines.1.name required', 'lines.2.code required', 'lines.3.name rule', 'lines.3.code duplicate'])
  expect(normalizeRecord(thing, { lines: [{ id: 3, name: ' 一 ' }] }, context({ entities }))).toEqual({
    lines: [{ id: 3, name: '一' }],
  })
})

test('a rule is broken only if it is false, not if a value is missing or invalid', () => {
  const rule: Rule = { check: 'to >= from', when: "kind != 'free'", at: 'to', message: label('order') }
  const thing = entity(
    'thing',
    [field('from', 'integer'), field('to', 'integer'), field('kind', 'text', { options: text })],
    [rule],
  )
  expect(found(thing, { from: 5, to: 3 })).toEqual(['to rule'])
  expect(found(thing, { from: 5, to: null })).toEqual([])
  expect(found(thing, { from: 5, to: 3, kind: 'free' })).toEqual([])
  expect(found(thing, { from: 'x', to: 3 })).toEqual(['from integer'])
  expect(
    checkRules(
      thing,
      [{ ...rule, check: 'user.id == 7' }],
      {},
      context({ user: { id: 8, name: '', roles: [], department: null } }),
    ),
  ).toHaveLength(1)
})

test('conditions and rules see formulas recomputed from the current values', () => {
  const formula = (text: string) => ({ computed: { kind: 'formula' as const, formula: text } })
  const thing = entity(
    'thing',
    [
      field('base', 'integer'),
      field('bonus', 'integer'),
      field('twice', 'integer', formula('gross + gross')),
      field('gross', 'integer', formula('base + bonus')),
      field('exempt', 'integer'),
      field('reason', 'text', { options: text, requiredWhen: 'twice > 100' }),
    ],
    [{ check: 'exempt <= gross', at: 'exempt', message: label('exempt') }],
  )
  const stale = { gross: 10, twice: 20 }
  expect(found(thing, { ...stale, base: 40, bonus: 20, exempt: 30 })).toEqual(['reason required'])
  expect(found(thing, { ...stale, base: 4, bonus: 2, exempt: 8 })).toEqual(['exempt rule'])
  expect(checkAt(thing, thing.fields.exempt, { ...stale, base: 4, bonus: 2, exempt: 8 }, context())).toHaveLength(1)
  expect(inputs('twice > 100', thing)).toEqual(['twice', 'gross', 'base', 'bonus'])
  expect(found(thing, { ...stale, base: 4, bonus: 2, exempt: 8 }, { fields: ['bonus'] })).toEqual(['exempt rule'])
})

test('a formula over masked values stays as it was read', () => {
  const thing = entity(
    'thing',
    [
      field('base', 'money', { sensitive: true }),
      field('bonus', 'money'),
      field('gross', 'money', { computed: { kind: 'formula', formula: "coalesce(base, decimal('0')) + bonus" } }),
      field('exempt', 'money'),
    ],
    [{ check: 'exempt <= gross', at: 'exempt', message: label('exempt') }],
  )
  const old = { base: '******', bonus: '100.00', gross: '8100.00', exempt: '0.00' }
  expect(found(thing, { ...old, exempt: '500.00' }, { old })).toEqual([])
  expect(found(thing, { ...old, exempt: '8200.00' }, { old })).toEqual(['exempt rule'])
  expect(found(thing, { ...old, base: '300.00', exempt: '500.00' }, { old })).toEqual(['exempt rule'])
})

test('the problems of one field agree with those of the whole record', () => {
  const thing = entity(
    'thing',
    [field('from', 'integer', { required: true }), field('to', 'integer')],
    [{ check: 'to >= from', at: 'to', message: label('order') }],
  )
  for (const values of [
    {},
    { from: 5 },
    { from: 5, to: 3 },
    { to: 3 },
    { from: 1, to: 3 },
    { from: 'x', to: 1 },
  ] as RecordData[]) {
    const each = Object.values(thing.fields).flatMap((field) => checkAt(thing, field, values, context()))
    expect(each).toEqual(checkRecord(thing, values, context()))
  }
})

test('checking some fields covers only these, what depends on them, and their rules', () => {
  const thing = entity(
    'thing',
    [
      field('a', 'text', { options: text, required: true }),
      field('b', 'text', { options: text, requiredWhen: "c == 'x'" }),
      field('c', 'text', { options: text }),
      field('d', 'text', { options: text, required: true }),
    ],
    [
      { check: "c != 'x'", at: 'd', message: label('rule') },
      { check: "a == 'y'", at: 'a', message: label('rule') },
    ],
  )
  expect(found(thing, { a: 'z', c: 'x' }, { fields: ['c'] })).toEqual(['b required', 'd rule'])
})

test('a message shows formulas as the form does: recomputed, or as read if masked', () => {
  const money = (name: string, formula?: string) =>
    field(name, 'money', {
      options: { negative: true },
      ...(formula !== undefined && { computed: { kind: 'formula', formula } }),
    })
  const thing = entity('thing', [
    money('price'),
    money('net', "price - decimal('1')"),
    money('whole', 'net + net'),
    { ...money('wage'), sensitive: true },
    money('half', "wage - decimal('1')"),
  ])
  const textFor = (values: RecordData) => worded(thing, { en: '{whole}, {half}' }, values, context()).en
  expect(textFor({ price: '3.00', net: null, whole: null, wage: null, half: null })).toBe('￥4.00, ')
  expect(textFor({ price: '3.00', net: '9.00', whole: '18.00', wage: '******', half: '250.00' })).toBe(
    '￥4.00, ￥250.00',
  )
})

test('accepts an unchanged mask and an empty secret', () => {
  const thing = entity('thing', [
    field('phone', 'phone', { sensitive: true }),
    field('key', 'secret', { required: true }),
  ])
  const old = { id: 1, phone: '138****0000', key: '******1234' }
  expect(found(thing, { ...old }, { old })).toEqual([])
  expect(found(thing, { ...old, key: null }, { old })).toEqual([])
  expect(found(thing, { ...old, phone: '138****0001' }, { old })).toEqual(['phone format'])
  expect(found(thing, { phone: null, key: null })).toEqual(['key required'])
})

test('a reference is compared by its id, a row by its values', () => {
  const reference = field('a', 'reference', { options: { entity: 'thing' } })
  expect(isSame(reference, { id: 3, name: '甲' }, 3, widgets)).toBe(true)
  expect(isSame(reference, { id: 3 }, { id: 4 }, widgets)).toBe(false)
  const rows = field('b', 'rows', { options: { entity: 'line', by: 'thing', columns: ['name'] } })
  expect(isSame(rows, [{ id: 3, name: '甲' }], [{ id: 3, name: '乙' }], widgets)).toBe(false)
  expect(isSame(rows, [{ id: 3, name: '甲', code: null }], [{ id: 3, name: '甲' }], widgets)).toBe(true)
})

test('the inputs of an expression are fields of the record', () => {
  const thing = entity('thing', [field('a', 'text'), field('b', 'text')])
  expect(inputs('a == old.b && user.id == 3 && changed.exists(c, c == b)', thing)).toEqual(['a', 'b'])
})
