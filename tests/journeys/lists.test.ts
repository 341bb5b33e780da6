import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ListPlan } from '../../engine/screens/list/list.ts'
import type { Field, FilterValue, ListResult, Operator, RecordData, ScreenPlan } from '../../engine/model/model.ts'
import { call, known, list, open, route, useDemo } from './app.ts'
import type { Language } from './app.ts'
import { addressOf, catalog, covering, except, hostOf, languages, placed, widgets } from './catalog.ts'
import type { ScreenCase } from './catalog.ts'
import { fill } from './controls.ts'
import { entryFor, filterFor, isInOrder, stands, identifiedBy } from './filters.ts'
import { isLong } from '../long.ts'
import { drawnRows, expectAgreement, expectRows, grid, tall, wide } from './grid.ts'

useDemo()

const lists = placed.filter(({ plan }) => plan.kind === 'list')
const words = {
  cn: {
    query: '查询',
    reset: '重置',
    expand: '展开',
    count: (n: number) => `共${n}条`,
    nextPage: '下一页',
    pageSize: '每页条数',
  },
  en: {
    query: 'Search',
    reset: 'Reset',
    expand: 'Expand',
    count: (n: number) => `${n} ${n === 1 ? 'record' : 'records'}`,
    nextPage: 'Next page',
    pageSize: 'Records per page',
  },
}

/** Runs `act` and waits until the address satisfies `holds`. */
async function changesAddress(page: Page, act: () => Promise<void>, holds: (query: URLSearchParams) => boolean) {
  await act()
  await expect
    .poll(() => holds(new URLSearchParams(route(page).split('?')[1] ?? '')), {
      message: `the address ${route(page)}`,
    })
    .toBe(true)
}

/** Uses each kind of filter or column once in the browser; all others are tested against the server. */
function firstLists(keysOf: (plan: ScreenPlan<ListPlan>) => string[]) {
  const keys = ({ plan }: ScreenCase) => keysOf(plan as ScreenPlan<ListPlan>)
  const seen = new Set<string>()
  return covering(lists, keys).map((screen) => ({
    ...screen,
    first: new Set(keys(screen).filter((key) => !seen.has(key) && Boolean(seen.add(key)))),
  }))
}
const kindOf = (plan: ScreenPlan<ListPlan>, field: string, operator = '') =>
  `${catalog.entities[plan.entity!].fields[field].type} ${operator}`
/** The short run types and chooses values and ranges; the tests of widgets draw the filter of every type. */
function filterOf(plan: ScreenPlan<ListPlan>, field: string, operator: Operator): string {
  const { prompt } = widgets[catalog.entities[plan.entity!].fields[field].type]
  const ends = operator === 'between' ? 'a range' : 'a value'
  return isLong ? kindOf(plan, field, operator) : `${prompt === 'enter' ? 'types' : 'chooses'} ${ends}`
}
const withFilters = firstLists((plan) => [
  ...plan.body.filters.map(({ field, operator }) => filterOf(plan, field, operator)),
  ...(plan.body.search ? ['search'] : []),
])
// Every header requests its order in the same way, whatever the column shows; sorting itself is done by the server.
const sortable = ({ columns }: ListPlan) =>
  columns.filter(({ sort, hidden }) => sort && !hidden).slice(0, isLong ? 2 : 1)
const withSorting = firstLists(({ body }) =>
  sortable(body).length === (isLong ? 2 : 1) ? [isLong && body.tree ? 'tree' : 'pages'] : [],
)

/** The records of a list, and what a filter must find among them. */
async function holdings({ body, entity: name }: ScreenPlan<ListPlan>) {
  const entity = catalog.entities[name!]
  const { list: all, total } = await known<ListResult>(`${entity.endpoint}/list`, {
    page: 1,
    size: 1000,
    filters: body.where,
  })
  return {
    entity,
    all,
    /** A record that the filter can find; if the filter is typed, one that its text identifies. */
    async recordFor(field: Field, operator: Operator, language: Language, isTyped = true): Promise<RecordData> {
      const isIdentified = isTyped ? await identifiedBy(field) : () => true
      const record = all.find((each) => entryFor(field, operator, each, language) !== undefined && isIdentified(each))
      if (!record) throw new Error(`no demo record of ${entity.name} has a ${field.name} to look for`)
      return record
    },
    /** Expects all matching records and no others; of more than a thousand records, at least those that were read. */
    async expectFound(field: Field, filter: FilterValue, record: RecordData, found: ListResult): Promise<void> {
      const matches = await stands(entity, field, filter)
      const condition = `${field.name} ${JSON.stringify(filter)}`
      expect(matches(record), `${condition} finds the record that it was taken from`).toBe(true)
      expect(
        found.list.filter((each) => !matches(each)),
        `found by ${condition} though it should not`,
      ).toEqual([])
      const expected = all.filter(matches).length
      if (all.length === total) expect(found.total, `found by ${condition}`).toBe(expected)
      else expect(found.total, `found by ${condition}`).toBeGreaterThanOrEqual(expected)
    },
  }
}

/** The features that a list draws, to be covered by few lists; in the long run, also the types of its columns. */
function drawnBy({ plan: screen }: ScreenCase): string[] {
  const plan = screen as ScreenPlan<ListPlan>
  const { columns, tabs, tree, summary } = plan.body
  return [
    ...columns
      .filter(({ hidden }) => !hidden)
      .flatMap(({ field, link, sum }) => [
        ...(isLong ? [kindOf(plan, field)] : []),
        ...(link === undefined ? [] : ['link']),
        ...(sum ? ['sum'] : []),
      ]),
    tabs.length > 0 ? 'tabs' : 'no tabs',
    tree ? 'tree' : 'pages',
    hostOf(plan) ? 'a part' : 'a page',
    ...(summary ? ['summary'] : []),
  ]
}
const drawn = covering(lists, drawnBy)

// A journey in English uses lists, too.
describe.each(isLong ? languages : languages.slice(0, 1))('in %s', (language) => {
  const say = words[language]

  // The compiler guarantees that both languages are complete, and a list draws them in the same way.
  test.each(language === languages[0] ? drawn : drawn.slice(0, 2))(
    "$name shows the demo's records, under its columns, tab by tab and page by page",
    async (screen) => {
      const plan = screen.plan as ScreenPlan<ListPlan>
      const page = await open(await addressOf(screen), { ...wide, language, stays: true })
      const { total } = await expectAgreement(page, plan, language, page)
      expect(total, 'demo records').toBeGreaterThan(0)
      expect(Object.keys((await drawnRows(grid(page, plan, language)))[0])).toEqual(
        expect.arrayContaining(plan.body.columns.filter(({ hidden }) => !hidden).map(({ label }) => label[language])),
      )
      await page.getByText(say.count(total), { exact: true }).waitFor()
      // Tabs and pages behave alike in every language.
      if (language !== languages[0]) return

      for (const tab of plan.body.tabs.slice(1)) {
        const label = page
          .getByRole('tablist', { name: plan.title[language], exact: true })
          .getByRole('tab', { name: new RegExp(`^${tab.label[language]}`) })
        await changesAddress(
          page,
          () => label.click(),
          (query) => query.get('tab') === tab.name,
        )
        const answer = await expectAgreement(page, plan, language, page)
        expect(await label.innerText()).toMatch(new RegExp(`\\D${answer.total}$`))
        for (const [name, filter] of Object.entries(tab.filter)) {
          expect(
            answer.list.filter(
              await stands(catalog.entities[plan.entity!], catalog.entities[plan.entity!].fields[name], filter),
            ),
          ).toHaveLength(answer.list.length)
        }
      }
      if (plan.body.tabs.length > 0)
        await changesAddress(
          page,
          () => page.getByRole('tab', { name: new RegExp(`^${plan.body.tabs[0].label[language]}`) }).click(),
          (query) => !query.has('tab'),
        )

      if (plan.body.tree) return
      await changesAddress(
        page,
        async () => {
          await page.getByLabel(say.pageSize).selectOption('10')
        },
        (query) => query.get('size') === '10',
      )
      const first = await expectAgreement(page, plan, language, page)
      if (total <= 10) return
      await changesAddress(
        page,
        () => page.getByRole('button', { name: say.nextPage }).click(),
        (query) => query.get('page') === '2',
      )
      const second = await expectAgreement(page, plan, language, page)
      expect(second.list.filter(({ id }) => first.list.some((record) => record.id === id))).toEqual([])
    },
  )

  const most = Math.max(...withFilters.map(({ first }) => first.size))
  test.each(language === languages[0] ? withFilters : withFilters.filter(({ first }) => first.size === most))(
    '$name is narrowed by its search and filters',
    async (screen) => {
      const plan = screen.plan as ScreenPlan<ListPlan>
      const page = await open(await addressOf(screen), { ...tall, language, stays: true })
      const rows = () => expectRows(grid(page, plan, language), plan, language, page)
      const { entity, all, recordFor, expectFound } = await holdings(plan)
      const form = page.getByRole('search')
      const expand = form.getByRole('button', { name: say.expand, exact: true })
      if ((await expand.count()) > 0) await expand.click()

      if (screen.first.has('search')) {
        const wanted = String(all.at(-1)![entity.display])
        await fill(form, plan.body.search![language], wanted)
        await changesAddress(
          page,
          () => form.getByRole('button', { name: say.query, exact: true }).click(),
          (query) => query.get('q') === wanted,
        )
        expect((await rows()).list.map(({ id }) => id)).toContain(all.at(-1)!.id)
        await changesAddress(
          page,
          () => form.getByRole('button', { name: say.reset, exact: true }).click(),
          (query) => !query.has('q'),
        )
      }
      const left = new Set(screen.first)
      const filters = plan.body.filters.filter(({ field, operator }) => {
        const key = filterOf(plan, field, operator)
        return isLong ? left.has(key) : left.delete(key)
      })
      // In the other language only the labels of choices differ, not the request.
      for (const { field: name, label, operator } of language === languages[0] ? filters : filters.slice(0, 3)) {
        const field = entity.fields[name]
        const record = await recordFor(field, operator, language)
        await fill(form, label[language], entryFor(field, operator, record, language)!)
        await changesAddress(
          page,
          () => form.getByRole('button', { name: say.query, exact: true }).click(),
          (query) => Boolean(query.get(`f.${name}`)),
        )
        const filter = JSON.parse(new URLSearchParams(route(page).split('?')[1]).get(`f.${name}`)!) as FilterValue
        expect(Object.keys(filter), `${name} is filtered by`).toEqual([operator])
        if (operator === 'between') expect(filter.between, `${name}: both ends count`).not.toContain(null)
        await expectFound(field, filter, record, await rows())
        await changesAddress(
          page,
          () => form.getByRole('button', { name: say.reset, exact: true }).click(),
          (query) => !query.has(`f.${name}`),
        )
      }
    },
  )
})

const undrawn = except(lists, drawn)
/** The kinds of filters of its tabs. */
const tabsOf = ({ plan }: ScreenCase): string[] =>
  (plan.body as ListPlan).tabs.flatMap(({ filter }) =>
    Object.entries(filter).map(([field, wanted]) =>
      [catalog.entities[plan.entity!].fields[field].type, ...Object.keys(wanted as object)].join(' '),
    ),
  )
test.each(isLong ? undrawn : covering(undrawn, tabsOf))(
  'the server divides the records of $name into tabs and pages',
  async ({ plan: screen }) => {
    const { body, entity: name } = screen as ScreenPlan<ListPlan>
    const entity = catalog.entities[name!]
    const counts = await call<{ total: number; counts: number[] }>('GET', body.paths.list, {
      page: 1,
      size: 1,
      filters: body.where,
      counts: body.tabs.map(({ filter }) => filter),
    })
    expect(counts.total, 'demo records').toBeGreaterThan(0)
    for (const [index, { filter, name: tab }] of body.tabs.entries()) {
      const { list: found, total } = await list(entity.endpoint, { filters: body.where, tab: filter, size: 100 })
      expect(counts.counts[index], tab).toBe(total)
      for (const [field, wanted] of Object.entries(filter))
        expect(found.filter(await stands(entity, entity.fields[field], wanted)), `${tab}: ${field}`).toHaveLength(
          found.length,
        )
    }
    if (body.tree || counts.total <= 10) return
    const [first, second] = await Promise.all(
      [1, 2].map((page) => list(entity.endpoint, { filters: body.where, sort: body.sort, page, size: 10 })),
    )
    expect(second.list.filter(({ id }) => first.list.some((record) => record.id === id))).toEqual([])
  },
)

/**
 * The server treats fields of one type and origin alike, so the first of them stands for all; the long run tests every
 * field.
 */
function firstOfEach<T extends { field: string }>(usesIn: (plan: ScreenPlan<ListPlan>) => readonly T[]) {
  const seen = new Set<string>()
  return lists.flatMap(({ name, plan: screen }) => {
    const plan = screen as ScreenPlan<ListPlan>
    const fields = catalog.entities[plan.entity!].fields
    const first = usesIn(plan).filter((each) => {
      const { type, computed } = fields[each.field]
      const key = JSON.stringify({ ...each, field: undefined, type, origin: computed?.kind })
      return isLong || (!seen.has(key) && Boolean(seen.add(key)))
    })
    return first.length > 0 ? [{ name, plan, first }] : []
  })
}

test.each(firstOfEach(({ body }) => body.filters.map(({ field, operator }) => ({ field, operator }))))(
  'the server searches and filters $name',
  async ({ plan, first }) => {
    const { entity, all, recordFor, expectFound } = await holdings(plan)
    const wanted = String(all.at(-1)![entity.display])
    if (plan.body.search)
      expect(
        (await list(entity.endpoint, { search: wanted, filters: plan.body.where })).list.map(({ id }) => id),
      ).toContain(all.at(-1)!.id)
    for (const { field: name, operator } of first) {
      const field = entity.fields[name]
      const record = await recordFor(field, operator, languages[0], false)
      const filter = filterFor(field, operator, record)!
      await expectFound(
        field,
        filter,
        record,
        await list(entity.endpoint, { filters: { ...plan.body.where, [name]: filter } }),
      )
    }
  },
)

const sorting = firstOfEach(({ body }) =>
  body.columns.filter(({ sort, hidden }) => sort && !hidden).map(({ field }) => ({ field })),
)
test.each(sorting)('the server sorts $name both ways by its sortable columns', async ({ plan, first }) => {
  const entity = catalog.entities[plan.entity!]
  for (const { field } of first) {
    for (const sort of [field, `-${field}`]) {
      // The first pages of both orders show both ends of the list.
      const { list: sorted } = await list(entity.endpoint, { sort, filters: plan.body.where, size: 40 })
      expect(
        isInOrder(
          entity.fields[field],
          sorted.map((record) => record[field] ?? null),
          sort !== field,
        ),
        sort,
      ).toBe(true)
    }
  }
})

test.each(withSorting)('$name is sorted both ways by the headers', async (screen) => {
  const plan = screen.plan as ScreenPlan<ListPlan>
  const entity = catalog.entities[plan.entity!]
  const page = await open(await addressOf(screen), { ...tall, stays: true })
  for (const { field, label } of sortable(plan.body)) {
    const header = grid(page, plan, 'cn')
      .getByRole('columnheader', { name: new RegExp(`^${label.cn}`) })
      .filter({ has: page.getByRole('button', { name: label.cn, exact: true }) })
    for (const direction of ['ascending', 'descending']) {
      for (let clicks = 0; clicks < 3 && (await header.getAttribute('aria-sort')) !== direction; clicks++) {
        const before = await header.getAttribute('aria-sort')
        await header.getByRole('button').click()
        await expect.poll(() => header.getAttribute('aria-sort')).not.toBe(before)
      }
      expect(await header.getAttribute('aria-sort'), `${field} ${direction}`).toBe(direction)
      await expect
        .poll(() => new URLSearchParams(route(page).split('?')[1] ?? '').get('sort') ?? plan.body.sort)
        .toBe(direction === 'ascending' ? field : `-${field}`)
      const { list: sorted } = await expectRows(grid(page, plan, 'cn'), plan, 'cn', page)
      expect(
        isInOrder(
          entity.fields[field],
          sorted.map((record) => record[field] ?? null),
          direction === 'descending',
        ),
        `${field} ${direction}`,
      ).toBe(true)
    }
  }
})
