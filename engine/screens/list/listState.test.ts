import { expect, test } from 'vitest'
import type { ListPlan } from './list.ts'
import { emptiedIn, filtersIn, listQuery, nextSort, readState, withDefaults, writeState } from './listState.ts'
import type { ListState } from './listState.ts'

const label = { cn: '', en: '' }
const column = (field: string, sort = true, sum = false) => ({ field, label, width: 100, sum, sort, hidden: false })
const plan: ListPlan = {
  search: label,
  filters: [
    { field: 'name', label, operator: 'contains' },
    { field: 'status', label, operator: 'in', default: 'pending, approved' },
    { field: 'day', label, operator: 'between' },
  ],
  columns: [column('name'), column('day'), column('note', false), column('amount', true, true)],
  sort: '-day',
  pageSize: 20,
  where: { kind: { equals: 'a' } },
  marks: [],
  actions: [],
  paths: { list: '/thing/list' },
  tabs: [
    { name: 'all', label, filter: {} },
    { name: 'open', label, filter: { status: { equals: 'pending' } } },
  ],
}

test('an empty address is the list as in the schema, and is written as an empty address', () => {
  const list = readState({}, plan)
  expect(list).toEqual({
    search: '',
    filters: { status: { in: ['pending', 'approved'] } },
    tab: 'all',
    sort: '-day',
    page: 1,
    size: 20,
  })
  expect(writeState(list, plan)).toEqual({})
})

test('choices are restored from the address', () => {
  const list: ListState = {
    search: 'qljx',
    filters: { name: { contains: '启&澜' }, day: { between: ['2026-01-01', null] } },
    tab: 'open',
    sort: 'amount',
    page: 3,
    size: 50,
  }
  const state = writeState(list, plan)
  expect(state).toMatchObject({ q: 'qljx', 'f.status': '', tab: 'open', sort: 'amount', page: '3', size: '50' })
  expect(readState(state, plan)).toEqual(list)
})

test('defaults apply only to an address without filters or search, which are taken literally', () => {
  expect(readState({ q: 'x' }, plan).filters).toEqual({})
  expect(readState({ 'f.name': '{"contains":"a"}' }, plan).filters).toEqual({ name: { contains: 'a' } })
  expect(readState({ 'f.status': '' }, plan).filters).toEqual({})
  expect(readState({ tab: 'open', sort: 'name', page: '2' }, plan).filters).toEqual({
    status: { in: ['pending', 'approved'] },
  })
  const none = { ...readState({}, plan), filters: {} }
  expect(writeState(none, plan)).toEqual({ 'f.status': '' })
  const searched = { ...readState({}, plan), search: 'x' }
  expect(readState(writeState(searched, plan), plan)).toEqual(searched)
})

test('a default may be a formula over date, user and settings', () => {
  const scope = { user: { id: 7, name: 'u', roles: [], department: null }, settings: {}, now: '2026-03-15 00:00:00' }
  const [month, own] = withDefaults(
    [
      { field: 'month', label, operator: 'between' as const, defaultFrom: ['addMonths(month(), -2)', 'month()'] },
      { field: 'own', label, operator: 'equals' as const, defaultFrom: ['user.id'] },
    ],
    scope,
  )
  expect(readState({}, { ...plan, filters: [month, own] }).filters).toEqual({
    month: { between: ['2026-01', '2026-03'] },
    own: { equals: '7' },
  })
})

test('ignores values that cannot have been chosen', () => {
  const state = {
    'f.gone': '{"equals":1}',
    'f.name': '{broken',
    'f.day': '[1]',
    tab: 'gone',
    sort: 'note',
    page: '-2',
    size: '7',
  }
  const list = readState(state, plan)
  expect(list).toMatchObject({
    filters: { status: { in: ['pending', 'approved'] } },
    tab: 'all',
    sort: '-day',
    page: 1,
    size: 20,
  })
  expect(list.filters).not.toHaveProperty('name')
})

test('no tab and no place of a list shows records outside its `where`', () => {
  const tabs = [{ name: 'b', label, filter: { kind: { equals: 'b' } } }]
  const query = listQuery({ ...readState({}, plan), tab: 'b' }, { ...plan, tabs }, { kind: { in: ['b', 'c'] } })
  const all = { kind: { and: [{ equals: 'a' }, { in: ['b', 'c'] }, { equals: 'b' }] } }
  expect(query).toMatchObject({ tab: all, counts: [all] })
})

test("fixed filters of the schema and the place are separate from the user's, and apply to every count", () => {
  const query = listQuery({ ...readState({}, plan), tab: 'open', search: 'x' }, plan, { customer: { equals: 7 } })
  expect(query).toEqual({
    countTo: 10_000,
    page: 1,
    size: 20,
    sort: '-day',
    search: 'x',
    filters: { status: { in: ['pending', 'approved'] } },
    sums: ['amount'],
    tab: { kind: { equals: 'a' }, customer: { equals: 7 }, status: { equals: 'pending' } },
    counts: [
      { kind: { equals: 'a' }, customer: { equals: 7 } },
      { kind: { equals: 'a' }, customer: { equals: 7 }, status: { equals: 'pending' } },
    ],
  })
})

test('records that do not count are excluded only from the sums', () => {
  const counted = { status: { in: ['approved'] } }
  expect(listQuery(readState({}, plan), { ...plan, counted })).toEqual({
    ...listQuery(readState({}, plan), plan),
    counted,
  })
})

test('a tree is requested as a whole', () => {
  expect(listQuery(readState({ page: '4' }, plan), { ...plan, tree: { parent: 'parent' } })).toMatchObject({
    page: 1,
    size: 10_000,
  })
})

test('the header of a column sorts up, down, and back', () => {
  expect(['-day', 'name', '-name'].map((sort) => nextSort(sort, 'name', plan))).toEqual(['name', '-name', '-day'])
  expect([nextSort('-day', 'day', plan), nextSort('day', 'day', plan)]).toEqual(['day', '-day'])
})

const started: ListPlan = {
  ...plan,
  tabs: [...plan.tabs, { name: 'due', label, filter: { due: { equals: true } }, clears: ['status'] }],
}

test('in a tab that clears a filter, the filter has no initial value, and each tab is counted as it opens', () => {
  const [all, due] = [readState({}, started), readState({ tab: 'due' }, started)]
  expect(due).toEqual({ ...all, tab: 'due', filters: {} })
  expect(writeState(due, started)).toEqual({ tab: 'due' })
  const status = { and: [{ in: ['pending', 'approved'] }] }
  const kind = { equals: 'a' }
  const counts = [
    { kind, status: { in: ['pending', 'approved'] } },
    { kind, status: { and: [{ equals: 'pending' }, ...status.and] } },
    { kind, due: { equals: true } },
  ]
  expect(listQuery(all, started)).toMatchObject({ tab: counts[0], counts })
  expect(listQuery(due, started)).toMatchObject({ tab: counts[2], counts })
  expect(listQuery(due, started)).not.toHaveProperty('filters')
})

test('what the user has chosen stays in every tab; what has its initial value gets that of the tab', () => {
  const all = { ...readState({}, started), filters: { ...readState({}, started).filters, name: { contains: 'x' } } }
  expect(filtersIn(all, started, 'due')).toEqual({ name: { contains: 'x' } })
  const due = { ...all, tab: 'due', filters: filtersIn(all, started, 'due') }
  expect(filtersIn(due, started, 'all')).toEqual(all.filters)
  expect(readState(writeState(due, started), started)).toEqual(due)
  const chosen = { ...all, filters: { status: { equals: 'rejected' } } }
  expect(filtersIn(chosen, started, 'due')).toEqual(chosen.filters)
  expect(listQuery({ ...chosen, tab: 'due' }, started).tab).toMatchObject({ status: { equals: 'rejected' } })
})

test('a filter that the user emptied stays empty in every tab, until the list is reset', () => {
  const all = { ...readState({}, started), filters: {} }
  const openedFrom = (list: ListState, tab: string) =>
    readState(
      writeState({ ...list, tab, filters: filtersIn(list, started, tab), emptied: emptiedIn(list, started) }, started),
      started,
    )
  const due = openedFrom(all, 'due')
  expect(due).toMatchObject({ tab: 'due', filters: {} })
  expect(openedFrom(due, 'all')).toMatchObject({ tab: 'all', filters: {} })
  // Each tab is counted as it would open.
  expect(listQuery(due, started).counts?.[0]).not.toHaveProperty('status')
  const reset = openedFrom({ ...due, emptied: [] }, 'all')
  expect(reset.filters).toEqual(readState({}, started).filters)
})
