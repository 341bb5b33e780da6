/**
 * Generated from the catalog: a reviewer moves from one record to the next that waits for the same decision, without
 * returning to the list.
 */
import { expect, test } from 'vitest'
import { startsNarrowed } from '../../engine/screens/list/startsNarrowed.ts'
import type { ListPlan } from '../../engine/screens/list/list.ts'
import type { ActionPlan, RecordData } from '../../engine/model/model.ts'
import { detail, dialog, listed, open, useDemo } from './app.ts'
import { bare, catalog, different, holds, hostOf, textOf } from './catalog.ts'
import type { ScreenCase } from './catalog.ts'
import { fillIn } from './fields.ts'
import { fillingBeside } from './fillings.ts'
import { queryOf, tall } from './grid.ts'
import { button } from './parts.ts'
import { actionsOf, start } from './reach.ts'
import { isLong } from '../long.ts'

useDemo()

type Review = ActionPlan & { do: { kind: 'review' } }
const isReview = (action: ActionPlan): action is Review => action.do.kind === 'review'

const queues = different
  .filter(({ plan }) => plan.kind === 'list' && (plan.route !== undefined || hostOf(plan)))
  .flatMap((screen) =>
    actionsOf(screen.plan)
      .filter(isReview)
      .map((action) => ({ name: screen.name, screen, action })),
  )

test('customers, contracts, payrolls, payments, statements and tickets are reviewed', () => {
  const names = queues.map(({ screen: { plan } }) => plan.entity!)
  for (const entity of ['customer', 'contract', 'payroll', 'payBatch', 'statement', 'proof'])
    expect(names).toContain(entity)
  for (const ticket of [/Addition$/, /Reduction$/, /Adjustment$/, /Supplement$/])
    expect(
      names.some((name) => ticket.test(name)),
      String(ticket),
    ).toBe(true)
})

/** An address of the list where at least two records wait, and two of these. */
async function waiting({ plan }: ScreenCase, { shownWhen }: Review): Promise<{ address: string; two: RecordData[] }> {
  const entity = catalog.entities[plan.entity!]
  const body = plan.body as ListPlan
  const all = new URLSearchParams(body.filters.filter(startsNarrowed).map(({ field }) => [`f.${field}`, '']))
  for (const tab of ['', ...body.tabs.map(({ name }) => name)]) {
    const hosted = hostOf(plan)
    const query = [...(hosted ? [['part', hosted.part]] : []), ...all, ...(tab ? [['tab', tab]] : [])]
    const address = `${plan.route ?? hosted!.host.route}?${new URLSearchParams(query)}`
    const shown = await listed(entity.endpoint, queryOf(body, address))
    const two = shown.filter((record) => holds(shownWhen, entity, record)).slice(0, 2)
    if (two.length === 2) return { address, two }
  }
  throw new Error(`${plan.name}: no two records wait`)
}

// `actions.test.tsx` reviews one record after the other in the short form.
test.runIf(isLong).each(queues)('$name moves from one waiting record to the next', async ({ screen, action }) => {
  const entity = catalog.entities[screen.plan.entity!]
  const [decision] = action.do.calls
  const { address, two } = await waiting(screen, action)
  const [first, next] = await Promise.all(two.map(({ id }) => detail(entity.endpoint, id!)))
  const page = await open(address, { stays: true, ...tall })
  const place = { page, scope: page.getByRole('main'), language: 'cn' as const }
  await start(place, screen.plan, action, [first])
  const review = page.getByRole('dialog', { name: action.label.cn, exact: true })
  const shows = async (record: RecordData) => {
    const name = bare(textOf(entity.fields[entity.display], record[entity.display], 'cn'))
    await expect.poll(async () => bare(await review.innerText())).toContain(name)
  }
  await shows(first)
  await review.getByRole('checkbox', { name: '完成后转到下一条', exact: true }).check()
  await button(review, decision.label.cn).click()
  const form = decision.do.kind === 'call' ? decision.do.form : []
  const promptedFields = form.filter(({ field }) => !entity.fields[field].computed)
  const fillings = await Promise.all(
    promptedFields.map(({ field }) => fillingBeside(entity, entity.fields[field], first)),
  )
  await fillIn(dialog(page), fillings, ({ label }) => label.cn)
  if (promptedFields.length > 0) await button(review, decision.label.cn).click()
  await shows(next)
  expect((await detail(entity.endpoint, first.id!)).revision).toBeGreaterThan(first.revision!)
  expect((await detail(entity.endpoint, next.id!)).revision).toBe(next.revision)
  await button(review, '关闭').click()
  await review.waitFor({ state: 'hidden' })
})
