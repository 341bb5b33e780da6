/** What a list shows, read as an operator reads it. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createClock } from '../../engine/server/clock.ts'
import type { ListPlan } from '../../engine/screens/list/list.ts'
import { initialState, withDefaults } from '../../engine/screens/list/listState.ts'
import type { FilterValue, ListResult, RecordData, ScreenPlan } from '../../engine/model/model.ts'
import { list, route } from './app.ts'
import type { Language } from './app.ts'
import { bare, catalog, cellText, widgets } from './catalog.ts'

/** A window that renders all rows of a page. */
export const tall = { width: 1920, height: 1600 }
/** A window that renders all columns and rows of a page. */
export const wide = { width: 5200, height: 1600 }

export const grid = (scope: Page | Locator, plan: ScreenPlan, language: Language): Locator =>
  scope.getByRole('table', { name: plan.title[language], exact: true })

const now = createClock().now

/** Header → text of the cell, row by row. */
export async function drawnRows(table: Locator): Promise<Record<string, string>[]> {
  return table.evaluate((element) => {
    const texts = (row: Element | null) =>
      [...(row?.querySelectorAll('th, td') ?? [])].map((cell) => cell.textContent ?? '')
    const headers = texts(element.querySelector('thead tr'))
    return [...element.querySelectorAll('tbody tr:not([aria-hidden])')].map((row) =>
      Object.fromEntries(texts(row).map((text, index) => [headers[index], text])),
    )
  })
}

/** The query that the address of a list stands for, as sent to the server. */
export function queryOf(
  plan: ListPlan,
  address: string,
): {
  sort?: string
  search?: string
  filters: Record<string, FilterValue>
  tab: Record<string, FilterValue>
  page: number
  size: number
} {
  const query = new URLSearchParams(address.split('?')[1] ?? '')
  const tab = plan.tabs.find(({ name }) => name === query.get('tab')) ?? plan.tabs[0]
  const given = [...query].filter(([key]) => key.startsWith('f.'))
  // The initial filters apply only to an address without filters or search.
  const filters =
    given.length > 0 || query.get('q')
      ? Object.fromEntries(
          given
            .filter(([, value]) => value !== '')
            .map(([key, value]) => [key.slice(2), JSON.parse(value) as FilterValue]),
        )
      : initialState({
          ...plan,
          filters: withDefaults(plan.filters, {
            user: { id: 0, name: '', roles: [], department: null },
            settings: {},
            now: now(),
          }),
        }).filters
  const sort = query.get('sort') ?? plan.sort
  return {
    ...(sort && { sort }),
    ...(query.get('q') && { search: query.get('q')! }),
    filters,
    tab: { ...plan.where, ...tab?.filter },
    page: plan.tree ? 1 : Number(query.get('page') ?? 1),
    size: plan.tree ? 10_000 : Number(query.get('size') ?? plan.pageSize),
  }
}

/**
 * Waits until every text cell shows what the API answers for the address. A list in a drawer has no address of its own.
 * @returns the answer
 */
export async function expectAgreement(
  scope: Page | Locator,
  plan: ScreenPlan<ListPlan>,
  language: Language,
  page: Page,
  address = route(page),
): Promise<ListResult> {
  const entity = catalog.entities[plan.entity!]
  const answer = await list(entity.endpoint, queryOf(plan.body, address), 'admin', language)
  const columns = plan.body.columns.filter(({ field, hidden }) => !hidden && !widgets[entity.fields[field].type].files)
  const expected = answer.list.map((record) =>
    Object.fromEntries(
      columns.map(({ field, label }) => [
        label[language],
        bare(cellText(entity.fields[field], record[field], language)),
      ]),
    ),
  )
  const drawn = async () =>
    (await drawnRows(grid(scope, plan, language))).map((row) =>
      Object.fromEntries(
        columns.map(({ label }) => [label[language], bare(row[label[language]] ?? '(no such column)')]),
      ),
    )
  await expect
    .poll(drawn, { message: `${plan.name}: what is drawn is what the API answers to ${address}` })
    .toEqual(plan.body.tree ? inTree(plan, expected, answer.list) : expected)
  return answer
}

/**
 * Waits until the rows show the records that the API answers for the address, in the same order.
 * @returns the answer
 */
export async function expectRows(
  table: Locator,
  plan: ScreenPlan<ListPlan>,
  language: Language,
  page: Page,
): Promise<ListResult> {
  const address = route(page)
  const answer = await list(catalog.entities[plan.entity!].endpoint, queryOf(plan.body, address), 'admin', language)
  const ids = answer.list.map(({ id }) => String(id))
  const drawn = () =>
    table.evaluate((element) =>
      [...element.querySelectorAll<HTMLElement>('[data-record]')].map(({ dataset }) => dataset.record),
    )
  await expect
    .poll(drawn, { message: `${plan.name}: the rows are those that the API answers to ${address}` })
    .toEqual(plan.body.tree ? inTree(plan, ids, answer.list) : ids)
  return answer
}

/** Rows below their parents, each level in its own order. */
function inTree<T>(plan: ScreenPlan<ListPlan>, rows: T[], records: RecordData[]): T[] {
  const parentOf = (record: RecordData) => (record[plan.body.tree!.parent] as { id?: number } | null)?.id
  const ids = new Set(records.map(({ id }) => id))
  const below = (parent: number | undefined): T[] =>
    records.flatMap((record, index) => {
      const above = parentOf(record)
      return (above !== undefined && ids.has(above) ? above : undefined) === parent
        ? [rows[index], ...below(record.id)]
        : []
    })
  return below(undefined)
}
