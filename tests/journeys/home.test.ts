import { expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import type { BoardCard, BoardPlan, BoardStep } from '../../engine/screens/board/board.ts'
import { isLong } from '../long.ts'
import { call, list, open, ready, route, useDemo } from './app.ts'
import { catalog, languages } from './catalog.ts'
import { literal } from './controls.ts'

useDemo({ isShared: true })

const { cards, calendar, links, waiting: counted } = catalog.screens['home.board'].body as BoardPlan
const month = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7)
/** The number of records in the list that the card leads to. */
const waitingIn = async ({ counts }: BoardCard) => {
  const { entity, filters } = counted.find(({ name }) => name === counts)!
  return (await list(catalog.entities[entity].endpoint, { filters, size: 1 })).total
}
const waitingFor = async ({ lists }: BoardStep) =>
  (await Promise.all(lists.map(waitingIn))).reduce((all, count) => all + count, 0)

/** All languages show the same records, so only the long run tests more than one. */
test.each(isLong ? languages : languages.slice(0, 1))(
  'the work of the month shows on the home page and leads to what waits, in %s',
  async (language) => {
    const page = await open('/home', { language })
    const region = page.getByRole('region', { name: calendar!.label[language], exact: true })
    for (const step of calendar!.steps) {
      const item = region.getByRole('listitem').filter({ hasText: step.label[language] })
      const waiting = await waitingFor(step)
      const waitingText = waiting === 0 ? '' : language === 'cn' ? `${waiting}项待办` : `${waiting} waiting`
      await expect.poll(() => item.innerText()).toContain(waitingText)
    }
    const listed = calendar!.steps.flatMap(({ label, lists }) =>
      lists.map((list) => ({ ...list, label: lists.length > 1 ? list.label : label, isOne: lists.length === 1 })),
    )
    const counts = await Promise.all(listed.map(waitingIn))
    const waited = listed
      .map((each, index) => ({ ...each, waiting: counts[index] }))
      .filter(({ waiting }) => waiting > 0)
    for (const step of [
      waited.find(({ to }) => to.includes('part=')),
      ...(isLong
        ? [waited.find(({ to, isOne }) => isOne && !to.includes('part=')), waited.find(({ isOne }) => !isOne)]
        : []),
    ]) {
      if (!step)
        throw new Error(
          'Nothing waits in the demo, on a page of its own, on a part of another, and in one of several lists',
        )
      await region
        .getByRole('link', {
          name: step.isOne ? step.label[language] : `${step.label[language]} ${step.waiting}`,
          exact: true,
        })
        .click()
      await expect.poll(() => route(page)).toBe(step.to)
      await ready(page)
      await page
        .getByRole('main')
        .getByText(language === 'cn' ? `共${step.waiting}条` : `${step.waiting} records`, { exact: true })
        .filter({ visible: true })
        .waitFor()
      await page.goBack()
      await region.waitFor()
    }
  },
)

test.runIf(isLong)('a card whose address has filters leads to exactly the records that it counts', async () => {
  const page = await open('/home')
  const filtered = cards.filter(({ to }) => to.includes('f.'))
  expect(filtered.length).toBeGreaterThan(1)
  for (const card of filtered) {
    const waiting = await waitingIn(card)
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${literal(card.label.cn)}`) })
      .first()
      .click()
    await expect.poll(() => route(page)).toBe(card.to)
    await ready(page)
    await page.getByRole('main').getByText(`共${waiting}条`, { exact: true }).filter({ visible: true }).waitFor()
    await page.goBack()
    await page.getByRole('region', { name: calendar!.label.cn, exact: true }).waitFor()
  }
})

test.runIf(isLong)(
  'the days of the month are those that administrators set, and closing the month is not done yet',
  async () => {
    const { id, revision, closedMonth, salaryPayDay } = await call<RecordData>('GET', '/setting/parameter/detail')
    const page = await open('/home')
    const region = page.getByRole('region', { name: calendar!.label.cn, exact: true })
    const wages = region.getByRole('listitem').filter({ hasText: '发放工资' })
    await expect.poll(() => wages.innerText()).toContain(`${Number(salaryPayDay) - 4}–${String(salaryPayDay)}日`)
    expect(String(closedMonth ?? '') < month(), 'the demo has not closed this month').toBe(true)
    const closing = region.getByRole('listitem').filter({ hasText: '本月关账' })
    expect(await closing.innerText()).toMatch(/未到期|进行中/)
    await call('POST', '/setting/parameter/update', { id, revision, values: { salaryPayDay: 20 } })
    await page.reload()
    await expect.poll(() => wages.innerText()).toContain('16–20日')
  },
)

test.skipIf(!isLong).each(languages)(
  'a user chooses pages for the home page by keyboard alone and finds them again, in %s',
  async (language) => {
    const say = {
      cn: { choose: '设置: 快捷入口', save: /确\s*定/, remove: '移除' },
      en: { choose: 'Choose: Quick links', save: 'OK', remove: 'Remove ' },
    }[language]
    const name = catalog.screens['bank.tabs'].menu?.label?.[language] ?? catalog.screens['bank.tabs'].title[language]
    const page = await open('/home', { language, user: 'auditor' })
    const region = page.getByRole('region', { name: links!.label[language], exact: true })
    const shown = () =>
      region.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')!.replace(/^.*#/, '')))
    await region.getByRole('link').first().waitFor()
    const before = await shown()
    expect(before).toEqual(links!.begin.slice(0, before.length))
    await region.getByRole('button', { name: say.choose, exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: links!.label[language] })
    const first = dialog.getByRole('button', { name: new RegExp(`^${say.remove}`) }).first()
    await first.focus()
    await page.keyboard.press('Enter')
    expect(await dialog.getByRole('searchbox').evaluate((box) => box === document.activeElement)).toBe(true)
    await page.keyboard.type(name)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await dialog.getByRole('button', { name: say.save }).focus()
    await page.keyboard.press('Enter')
    const after = [...before.slice(1), catalog.screens['bank.tabs'].route!]
    await expect.poll(shown).toEqual(after)
    await page.reload()
    await expect.poll(shown).toEqual(after)
    await region.getByRole('link', { name: new RegExp(name) }).click()
    await expect.poll(() => route(page)).toBe(catalog.screens['bank.tabs'].route)
    await call('POST', '/preferences', { key: 'links:home.board', value: null }, { user: 'auditor' })
  },
)

test.runIf(isLong)('people at work have joined by this month and not left before it', async () => {
  const { list: records } = await list(catalog.entities.employmentRecord.endpoint)
  const now = month()
  const active = records.filter(
    ({ entryDate, leaveDate }) =>
      String(entryDate).slice(0, 7) <= now && (leaveDate === null || String(leaveDate).slice(0, 7) >= now),
  ).length
  expect(active, 'people of the demo').toBeGreaterThan(0)
  const page = await open('/home')
  const figures = page.getByRole('region', { name: '在职人数', exact: true })
  await expect.poll(() => figures.innerText()).toMatch(new RegExp(`本月在职人数\\s*${active}\\b`))
  await page.getByRole('button', { name: '数据表: 近12个月在职人数', exact: true }).click()
  await expect
    .poll(() => page.getByRole('table', { name: '近12个月在职人数', exact: true }).innerText())
    .toMatch(new RegExp(`${now}\\s+${active}\\s*$`))
})
