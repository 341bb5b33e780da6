import { describe, expect, test } from 'vitest'
import type { ActionPlan, ScreenPlan } from '../model/model.ts'
import { compile } from '../schema/compile.ts'
import { widgets } from '../widgets/index.ts'
import { kinds } from './index.ts'

const label = { cn: '甲', en: 'A' }
const entity = {
  label,
  display: 'name',
  code: 'number',
  fields: {
    name: { type: 'text', required: true, label },
    number: { type: 'number-series', format: 'N{seq:4}', label },
    amount: { type: 'money', label },
    parent: { type: 'reference', entity: 'item', label },
    children: { type: 'integer', computed: { count: 'item', by: 'parent' }, label },
    status: { type: 'choice', choices: 'status', readOnly: true, label },
  },
  states: {
    field: 'status',
    initial: 'new',
    transitions: {
      accept: { label, from: ['new', 'held'], to: 'done', when: 'amount > 0', confirm: label },
      hold: { label, from: ['new'], to: 'held', permission: 'accept', form: [{ field: 'name', required: true }] },
    },
  },
  actions: { assign: { label, update: ['parent'], form: ['amount'] } },
  allow: { update: "status == 'new'" },
}
const screen = { entity: 'item', title: label }
const sections = [{ fields: ['name', 'number', 'children', { field: 'amount', span: 12 }] }]
const files: Record<string, unknown> = {
  'app.json': { title: label, home: '/item', areas: [{ name: 'shop', label }] },
  'shop/item.entity.json': entity,
  'shop/status.dictionary.json': { label, choices: ['new', 'held', 'done'].map((value) => ({ value, label })) },
  'shop/item.form.json': {
    ...screen,
    sections,
    parent: 'item.list',
    parameters: ['type'],
    variants: { type: { add: {}, edit: { mode: 'edit', parameters: ['type', 'id'] } } },
  },
  'shop/item.detail.json': {
    ...screen,
    route: '/item/detail',
    parameters: ['id'],
    actions: ['accept'],
    tabs: [{ name: 'basic', label, sections }],
  },
  'shop/item.list.json': {
    ...screen,
    route: '/item',
    columns: ['name', 'children', { field: 'amount', sum: true, width: 99, sort: false }],
    filters: ['name', 'status'],
    tabs: [{ name: 'open', label, filter: { status: ['new', 'held'] } }],
    where: { amount: { between: ['1', null] } },
    actions: [
      'create',
      'export',
      'detail',
      'edit',
      'accept',
      'hold',
      { action: 'assign', on: 'batch' },
      'delete',
      {
        action: 'review',
        label,
        permission: 'accept',
        shownWhen: 'amount > 5',
        show: ['name'],
        review: ['hold', 'accept'],
      },
      { action: 'accept', shownWhen: 'amount > 5', label: { cn: '乙', en: 'B' } },
      { action: 'edit', drawer: 'item.form', query: { type: 'edit', id: '{parent}' } },
    ],
  },
  'shop/start.board.json': {
    title: label,
    permission: 'shop:start:view',
    cards: [
      { name: 'open', label, screen: 'item.list', filter: { status: ['new', 'held'] } },
      { name: 'done', label, screen: 'item.list', filter: { status: 'done' } },
    ],
  },
}

function screensOf(changes: Record<string, unknown> = {}): Record<string, ScreenPlan> {
  const sources = Object.entries({ ...files, ...changes }).map(([path, data]) => ({
    path: `schemas/${path}`,
    text: JSON.stringify(data),
  }))
  const { catalog, issues } = compile(sources, { widgets, kinds, procedures: [] })
  expect(issues.map(({ message }) => message)).toEqual([])
  return catalog!.screens
}
const screens = screensOf()
const list = screens['item.list'].body
const actions: ActionPlan[] = list.actions
const action = (name: string) => actions.find((plan) => plan.name === name)!

describe('standard actions', () => {
  test('open the form in their mode: in a drawer without a route, else by a link', () => {
    expect(action('create')).toMatchObject({
      on: 'toolbar',
      primary: true,
      label: { cn: '新增', en: 'Add' },
      permission: 'shop:item:add',
    })
    expect(action('create').do).toEqual({ kind: 'drawer', screen: 'item.form', query: { type: 'add' } })
    const routed = screensOf({
      'shop/item.form.json': { ...(files['shop/item.form.json'] as object), route: '/item/form' },
    })['item.list'].body.actions
    expect(routed[0].do).toEqual({ kind: 'link', to: '/item/form?type=add' })
    expect(routed[3].do).toEqual({ kind: 'link', to: '/item/form?type=edit&id={id}' })
    expect(action('detail').do).toEqual({ kind: 'link', to: '/item/detail?id={id}' })
  })

  test('include one primary action among several that add something', () => {
    const file = files['shop/item.list.json'] as { actions: unknown[] }
    const other = { action: 'create', label: { cn: '另增', en: 'Add another' } }
    const { body } = screensOf({ 'shop/item.list.json': { ...file, actions: [...file.actions, other] } })['item.list']
    const primary = (body.actions as ActionPlan[]).filter((plan) => plan.primary)
    expect(primary.map((plan) => plan.label.en)).toEqual(['Add'])
  })

  test('are shown while the entity allows the write', () => {
    expect(action('edit')).toMatchObject({ on: 'row', permission: 'shop:item:edit', shownWhen: "status == 'new'" })
    expect(action('delete').shownWhen).toBeUndefined()
  })

  test('ask for confirmation before deleting', () => {
    expect(action('delete')).toMatchObject({
      danger: true,
      confirm: { cn: '确定删除该数据吗？', en: 'Delete this record?' },
      do: { kind: 'delete', path: '/shop/item/delete' },
    })
    expect(action('export')).toMatchObject({ on: 'toolbar', do: { kind: 'export', path: '/shop/item/export' } })
  })

  test('may have another target, and are otherwise unchanged', () => {
    const other = actions.at(-1)!
    expect(other).toMatchObject({
      name: 'edit',
      label: { en: 'Edit' },
      permission: 'shop:item:edit',
      shownWhen: "status == 'new'",
    })
    expect(other.do).toEqual({ kind: 'drawer', screen: 'item.form', query: { type: 'edit', id: '{parent}' } })
  })
})

describe('actions of the entity', () => {
  test('a transition is shown in its states, under its condition', () => {
    expect(action('accept')).toMatchObject({
      on: 'row',
      permission: 'shop:item:accept',
      shownWhen: "(status in ['new', 'held']) && (amount > 0)",
      confirm: label,
    })
    expect(action('hold')).toMatchObject({ permission: 'shop:item:accept', shownWhen: "status == 'new'" })
    expect(action('hold').do).toEqual({
      kind: 'call',
      path: '/shop/item/hold',
      form: [{ field: 'name', required: true }],
      keepEmpty: false,
      transition: { field: 'status', from: ['new'], to: 'held' },
    })
  })

  test('the condition of a screen never widens that of the action', () => {
    expect(actions.filter(({ name }) => name === 'accept')[1]).toMatchObject({
      label: { en: 'B' },
      shownWhen: "((status in ['new', 'held']) && (amount > 0)) && (amount > 5)",
    })
  })

  test('an update ignores fields left empty', () => {
    expect(action('assign').do).toEqual({
      kind: 'call',
      path: '/shop/item/assign',
      form: [
        { field: 'parent', required: false },
        { field: 'amount', required: false },
      ],
      keepEmpty: true,
    })
  })

  test('a review offers several transitions', () => {
    const review = action('review').do
    expect(review).toMatchObject({ kind: 'review', show: ['name'] })
    expect(review.kind === 'review' && review.calls.map(({ name }) => name)).toEqual(['hold', 'accept'])
  })

  test('are in the header of a detail', () => {
    expect(screens['item.detail'].body.actions[0].on).toBe('header')
  })
})

describe('kinds', () => {
  test('a list has widths, sorting, and expanded filters', () => {
    expect(list.columns).toMatchObject([
      { field: 'name', label, sort: true, width: 200, hidden: false },
      { field: 'children', sort: true },
      { field: 'amount', sum: true, width: 99, sort: false },
    ])
    expect(list.filters).toEqual([
      { field: 'name', label, operator: 'contains' },
      { field: 'status', label, operator: 'in' },
    ])
    expect(list.tabs[0].filter).toEqual({ status: { in: ['new', 'held'] } })
    expect(list.where).toEqual({ amount: { between: ['1', null] } })
    expect(list).toMatchObject({ pageSize: 20, paths: { list: '/shop/item/list' } })
  })

  test('a form is planned for its mode, and knows where to go back to', () => {
    const { variants, body } = screens['item.form']
    expect(body).toMatchObject({
      mode: 'create',
      permission: 'shop:item:add',
      back: '/item',
      submit: { cn: '保存', en: 'Save' },
    })
    expect(variants!.plans.edit.body).toMatchObject({
      mode: 'edit',
      permission: 'shop:item:edit',
      editWhen: "status == 'new'",
    })
    expect(body).not.toHaveProperty('editWhen')
    expect(
      body.sections[0].fields.map(({ field, span, readOnly }: { field: string; span: number; readOnly: boolean }) => [
        field,
        span,
        readOnly,
      ]),
    ).toEqual([
      ['name', 8, false],
      ['number', 8, true],
      ['children', 8, true],
      ['amount', 12, false],
    ])
  })

  test('a card of a board leads to the tab with its filter, or has the filter in its address', () => {
    const {
      cards: [open, done],
      waiting,
    } = screens['start.board'].body
    expect(open).toMatchObject({ to: '/item?tab=open', permission: 'shop:item:view' })
    expect(waiting.find(({ name }: { name: string }) => name === open.counts)).toMatchObject({
      entity: 'item',
      permission: 'shop:item:view',
      filters: { amount: { between: ['1', null] }, status: { in: ['new', 'held'] } },
    })
    expect(done.to).toBe(`/item?f.status=${encodeURIComponent('{"equals":"done"}')}`)
  })
})

test('plans are plain JSON', () => {
  expect(JSON.parse(JSON.stringify(screens))).toEqual(screens)
})
