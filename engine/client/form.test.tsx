// @vitest-environment jsdom
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { checkRecord } from '../expression/verdict.ts'
import type { Field, RecordData, Value } from '../model/model.ts'
import { cases } from '../../tests/contract/widgets.ts'
import { widgets } from '../widgets/index.ts'
import { FormilyNodes } from './formilyNodes.ts'
import { FormModel } from './formModel.ts'
import type { FormAround } from './formAnswers.ts'
import type { FormSource } from './formPlan.ts'
import type { EngineContext } from './view.ts'

const label = { cn: '字段', en: 'Field' }
const plain = (name: string, type: string, rest: Partial<Field> = {}): Field => ({
  name,
  type,
  label,
  required: false,
  readOnly: false,
  unique: false,
  sensitive: false,
  ...rest,
  options: rest.options ?? {},
})

const nodes = (...given: ConstructorParameters<typeof FormilyNodes>) => new FormilyNodes(...given)

interface Given {
  dictionary?: EngineContext['dictionary']
  around?: Partial<FormAround>
  suggests?: FormSource['entity']['suggests']
}
const anyWord: EngineContext['dictionary'] = () => ({ name: '', label, choices: [], mayGrow: false })

function model(fields: Field[], initial: RecordData, { dictionary = anyWord, around = {}, suggests }: Given = {}) {
  const entity = {
    name: 'thing',
    area: '',
    label,
    display: 'value',
    search: [],
    endpoint: '/thing',
    rules: [],
    states: [],
    saves: [],
    actions: {},
    suggests,
    fields: Object.fromEntries(fields.map((field) => [field.name, field])),
  } as unknown as FormSource['entity']
  const engine = {
    language: 'cn',
    text: () => '',
    dictionary,
    now: () => '2026-03-10 09:30:00',
    widgets,
    views: {},
    entity: () => undefined,
  } as unknown as EngineContext
  const source: FormSource = {
    entity,
    sections: [{ fields: fields.map(({ name }) => ({ field: name, span: 8 })) }],
    mode: 'create',
    old: null,
    initial,
  }
  const user = { id: 1, name: '', roles: [], department: null }
  return {
    made: new FormModel(source, { engine, user, ...around }, nodes),
    entity,
    context: { widgets, entities: {}, dictionary, now: engine.now, user, old: null },
  }
}

/** What users type, send and paste: the widget's own examples, and any JSON value. */
for (const { type, examples, options, context } of cases) {
  test(`a form and the server find the same of a ${type}`, async () => {
    const given = [null, ...[...examples.good, ...examples.bad].map(({ given }) => given as Value)]
    const value = fc.oneof(fc.constantFrom(...given), fc.jsonValue() as fc.Arbitrary<Value>)
    await fc.assert(
      fc.asyncProperty(
        value,
        fc.constantFrom(...options),
        fc.boolean(),
        fc.boolean(),
        async (typed, own, required, conditional) => {
          const fields = [
            plain('value', type, { options: own, required, requiredWhen: conditional ? "switch == 'on'" : undefined }),
            plain('switch', 'text', { options: { maxLength: 9, trim: true } }),
          ]
          const values = { value: typed, switch: 'on' }
          const { made, entity, context: server } = model(fields, values, { dictionary: context.dictionary })
          expect(await made.check()).toEqual(checkRecord(entity, values, server))
        },
      ),
      { numRuns: 40, seed: 7 },
    )
  })
}

test('a form redrawn for a newer schema keeps what was typed', () => {
  const { made } = model(
    [plain('a', 'text', { options: { maxLength: 9 } }), plain('b', 'text', { options: { maxLength: 9 } })],
    { a: null, b: '乙' },
  )
  const listener = vi.fn()
  made.onDirty(listener)
  made.nodes.input('a', '甲')
  expect([made.isDirty, listener.mock.calls.length > 0]).toEqual([true, true])
  const next = new FormModel(
    { ...made.source },
    {
      engine: { widgets, views: {}, entity: () => undefined } as unknown as EngineContext,
      user: { id: 1, name: '', roles: [], department: null },
    },
    nodes,
    made,
  )
  expect([next.values().a, next.values().b, next.isDirty]).toEqual(['甲', '乙', true])
})

test('a look-up follows its reference, and a default follows the look-up', async () => {
  const fields = [
    plain('agency', 'reference', { options: { entity: 'agency' } }),
    plain('agencyName', 'text', {
      options: { maxLength: 9, trim: true },
      computed: { kind: 'lookup', by: 'agency', field: 'name' },
    }),
    plain('title', 'text', { options: { maxLength: 9, trim: true }, defaultFrom: 'agencyName' }),
  ]
  const lookUp = vi.fn(async (_: Field, id: number): Promise<RecordData> => ({
    agencyName: id === 7 ? '一部' : '二部',
  }))
  const { made } = model(fields, { agency: null }, { around: { lookUp } })
  made.nodes.input('agency', { id: 7 })
  await vi.waitFor(() => expect([made.values().agencyName, made.values().title]).toEqual(['一部', '一部']))
  made.nodes.input('agency', { id: 8 })
  await vi.waitFor(() => expect([made.values().agencyName, made.values().title]).toEqual(['二部', '二部']))
  made.nodes.input('title', '自己写的')
  made.nodes.input('agency', null)
  await vi.waitFor(() => expect([made.values().agencyName, made.values().title]).toEqual([null, '自己写的']))
  expect(lookUp.mock.calls.map(([field, id]) => [field.name, id])).toEqual([
    ['agency', 7],
    ['agency', 8],
  ])
  expect(made.written()).toEqual({ title: '自己写的' })
})

test('conditions and defaults that read a formula follow the fields of the formula', async () => {
  const text = { maxLength: 20, trim: true }
  const fields = [
    plain('first', 'text', { options: text }),
    plain('last', 'text', { options: text }),
    plain('whole', 'text', { options: text, computed: { kind: 'formula', formula: "first + ' ' + last" } }),
    plain('title', 'text', { options: text, defaultFrom: 'whole' }),
    plain('remark', 'text', { options: text, visibleWhen: "whole == 'a b'" }),
  ]
  const { made } = model(fields, { first: 'a', last: 'x' })
  expect([made.values().title, made.nodes.isVisible('remark')]).toEqual(['a x', false])
  made.nodes.input('last', 'b')
  await vi.waitFor(() => expect([made.values().title, made.nodes.isVisible('remark')]).toEqual(['a b', true]))
  made.nodes.input('first', 'c')
  await vi.waitFor(() => expect([made.values().title, made.nodes.isVisible('remark')]).toEqual(['c b', false]))
  expect(made.written()).toEqual({ first: 'c', last: 'b', title: 'c b' })
})

test('a save faster than the answers waits for the values that they fill in', async () => {
  const required = (name: string, rest: Partial<Field> = {}) =>
    plain(name, 'text', { options: { maxLength: 9, trim: true }, required: true, ...rest })
  const fields = [
    plain('agency', 'reference', { options: { entity: 'agency' } }),
    required('agencyName', { computed: { kind: 'lookup', by: 'agency', field: 'name' } }),
    required('title', { defaultFrom: 'agencyName' }),
    required('account'),
  ]
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const { made } = model(
    fields,
    { agency: { id: 7 } },
    {
      suggests: { run: 'suggest', on: ['agency'] },
      around: {
        lookUp: () => answered.then(() => ({ agencyName: '一部' })),
        suggest: () => answered.then(() => ({ account: '6222' })),
      },
    },
  )
  const checked = made.check()
  answer()
  expect(await checked).toEqual([])
  expect(made.written()).toMatchObject({ title: '一部', account: '6222' })
})

test('a failed suggestion does not prevent saving', async () => {
  const { made } = model(
    [plain('account', 'text', { options: { maxLength: 9, trim: true } })],
    { account: '1' },
    { suggests: { run: 'suggest', on: ['account'] }, around: { suggest: () => Promise.resolve(undefined) } },
  )
  expect(await made.check()).toEqual([])
})
