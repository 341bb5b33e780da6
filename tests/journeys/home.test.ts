import { expect, test } from 'vitest'
import type { BoardPlan } from '../../engine/screens/board/board.ts'
import { list, open, ready, route, useDemo } from './app.ts'
import { catalog, languages } from './catalog.ts'

useDemo()

const { calendar } = catalog.screens['home.board'].body as BoardPlan
const waitingIn = async ({ path, filters }: { path: string; filters: object }) => (await list(path.replace(/\/list$/, ''), { filters, size: 1 })).total

test.each(languages)('the work of the month stands on the home page and leads to what waits, in %s', async (language) => {
  const page = await open('/home', { language })
  const region = page.getByRole('region', { name: calendar!.label[language], exact: true })
  for (const step of calendar!.steps) {
    const item = region.getByRole('listitem').filter({ has: page.getByRole('link', { name: step.label[language], exact: true }) })
    const waiting = await waitingIn(step)
    const said = waiting === 0 ? '' : language === 'cn' ? `${waiting}项待办` : `${waiting} waiting`
    await expect.poll(() => item.innerText()).toContain(said)
  }
  const counts = await Promise.all(calendar!.steps.map(waitingIn))
  const waited = calendar!.steps.filter((_, index) => counts[index] > 0)
  for (const step of [waited.find(({ to }) => !to.includes('part=')), waited.find(({ to }) => to.includes('part='))]) {
    if (!step) throw new Error('Nothing waits in the demo, on a page of its own and on a part of another')
    await region.getByRole('link', { name: step.label[language], exact: true }).click()
    await expect.poll(() => route(page)).toBe(step.to)
    await ready(page)
    const waiting = await waitingIn(step)
    await page.getByRole('main').getByText(language === 'cn' ? `共${waiting}条` : `${waiting} records`, { exact: true }).waitFor()
    await page.goBack()
    await region.waitFor()
  }
})

test('people at work are those who have joined and not left before the month', async () => {
  const { list: records } = await list(catalog.entities.employmentRecord.endpoint)
  const now = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7)
  const active = records.filter(({ entryDate, leaveDate }) => String(entryDate).slice(0, 7) <= now && (leaveDate === null || String(leaveDate).slice(0, 7) >= now)).length
  expect(active, 'people of the demo').toBeGreaterThan(0)
  const page = await open('/home')
  const figures = page.getByRole('region', { name: '在职人数', exact: true })
  await expect.poll(() => figures.innerText()).toMatch(new RegExp(`本月在职人数\\s*${active}\\b`))
  await page.getByRole('button', { name: '数据表: 近12个月在职人数', exact: true }).click()
  await expect.poll(() => page.getByRole('table', { name: '近12个月在职人数', exact: true }).innerText()).toMatch(new RegExp(`${now}\\s+${active}\\s*$`))
})
