// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import dayjs from 'dayjs'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { compile } from '../../engine/schema/compile.ts'
import type { AppBundle, Catalog, MenuItem, ScreenBundle } from '../../engine/model/model.ts'
import { germanSchemas, vehicle } from '../../tests/inGerman.ts'
import { answers, app, requestsTo, button, click, good, info, open, shell } from '../../tests/page.tsx'
import { json } from '../../tests/http.ts'
import { lists } from '../lists.ts'
import { language } from '../session/language.ts'
import { isLong } from '../../tests/long.ts'

let catalog: Catalog
let bundle: AppBundle

beforeAll(() => {
  catalog = compile(germanSchemas(), lists).catalog!
  bundle = {
    hash: 'x',
    app: catalog.app,
    screens: Object.values(catalog.screens).map(
      ({ name, kind, area, route, title, parameters, permission, parent }) => ({
        ...app.screens[0],
        name,
        kind,
        area,
        route,
        title,
        parameters,
        permission,
        parent,
        keywords: '',
      }),
    ),
  }
})
const entry = (name: string): MenuItem => ({
  id: 1,
  name,
  front_route: '/fleet/vehicle',
  sub_menus: [],
  corner_num: 0,
  corner_max: 99,
  icon: '',
  noCache: false,
  affix: false,
})
const bundleOf = (name: string): ScreenBundle => ({
  hash: 'x',
  plan: catalog.screens[name],
  dictionaries: catalog.dictionaries,
  granted: {},
  entities: catalog.entities as unknown as ScreenBundle['entities'],
})
const stored = { ...vehicle, id: 1, revision: 1, status: 'inUse' }
const browser = (tag: string) => vi.spyOn(navigator, 'language', 'get').mockReturnValue(tag)

beforeEach(() => {
  language.offer(['cn', 'en'])
  const screenOf = (name: string) => good(bundleOf(name))
  const granted = Object.values(catalog.entities).flatMap(({ permissions }) => Object.values(permissions))
  Object.assign(answers, {
    '/plans/public': good({ title: catalog.app.title, languages: catalog.app.languages }),
    '/vue-element-admin/user/info': json({ code: 20000, data: { ...info, name: 'Admin' } }),
    '/plans/app': good(bundle),
    '/partner-menu/get-user-nav-menu': good([entry('Fahrzeuge')]),
    '/partner-menu/get-user-menus': good(granted),
    '/plans/screen': screenOf('vehicle.list'),
    '/preferences': good(null),
    '/fleet/vehicle/list': good({ list: [stored], total: 1, sums: { price: '1234.50' } }),
  })
})

/** All texts that a reader sees or hears. */
function shownTexts(): string[] {
  const texts = [document.title, document.body.textContent]
  for (const element of document.querySelectorAll('[title], [aria-label], [placeholder], [alt]'))
    for (const name of ['title', 'aria-label', 'placeholder', 'alt']) {
      const text = element.getAttribute(name)
      if (text !== null) texts.push(text)
    }
  return texts.filter((text) => text !== null)
}
const missing = () => shownTexts().filter((text) => /undefined|null|\[object/.test(text))
const chinese = () => shownTexts().filter((text) => /\p{Script=Han}/u.test(text.replace('中文', '')))

test("the sign-in page offers the product's languages and speaks that of the browser", async () => {
  browser('de-AT')
  await open('/login', { language: null })
  expect(await screen.findByRole('heading', { name: 'Fuhrpark' })).toBeTruthy()
  expect(document.documentElement.lang).toBe('de')
  // The engine has no German.
  expect(screen.getByRole('button', { name: 'Log in' })).toBeTruthy()
  await click(await button('English'))
  expect(await screen.findByRole('heading', { name: 'Fleet' })).toBeTruthy()
  expect((await button('Deutsch')).lang).toBe('de')
  expect([missing(), chinese()]).toEqual([[], []])
})

test.skipIf(!isLong)('ignores a stored language that the product does not have, and stores a chosen one', async () => {
  browser('de')
  await open('/fleet/vehicle', { token: 'old', language: 'cn' })
  await shell()
  expect(await button('English')).toBeTruthy()
  expect(within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByText('Fahrzeuge')).toBeTruthy()
  await click(await button('English'))
  expect(within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByText('Vehicles')).toBeTruthy()
  await waitFor(() => expect(document.title).toBe('Vehicles · Fleet'))
  expect(localStorage.getItem('erp-locale')).toBe('en')
  await click(await button('Deutsch'))
  await waitFor(() => expect(document.title).toBe('Fahrzeuge · Fuhrpark'))
  const headers = () => requestsTo('/partner-menu/get-user-nav-menu').map((call) => call.headers.language)
  await waitFor(() => expect(headers()).toEqual(expect.arrayContaining(['de', 'en-US'])))
})

test('a list in German has German titles, filters, values, buttons and calendar', async () => {
  browser('de')
  await open('/fleet/vehicle', { token: 'old', language: 'de' })
  const table = await screen.findByRole('table', { name: 'Fahrzeuge' })
  await within(table).findByText('B-1')
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(
    expect.arrayContaining(['Kennzeichen', 'Modell', 'Zustand', 'Gekauft am', 'Elektrisch', 'Ausstattung', 'Preis']),
  )
  for (const text of ['Im Einsatz', 'Yes', 'Dachträger']) expect(table.textContent).toContain(text)
  expect(table.textContent).toContain('Anhängerkupplung')
  expect(await screen.findByPlaceholderText('Kennzeichen oder Modell')).toBeTruthy()
  await waitFor(() => expect(dayjs.locale()).toBe('de'))
  expect([missing(), chinese()]).toEqual([[], []])
})

test.skipIf(!isLong)('the settings offer the listed languages, each in its own name', async () => {
  browser('de')
  await open('/fleet/vehicle', { token: 'old', language: 'de' })
  await shell()
  await click(await button('Display settings'))
  const choices = await screen.findAllByRole('radio', { name: /Deutsch|English|中文/ })
  expect(choices.map((choice) => choice.closest('label')?.textContent)).toEqual(['English', 'Deutsch'])
})

test.skipIf(!isLong)('more than two languages are in a list, and a single one leaves no choice', async () => {
  browser('fr')
  answers['/plans/public'] = good({ title: { fr: 'Parc', de: 'Fuhrpark', cn: '车队' }, languages: ['cn', 'de', 'fr'] })
  await open('/login', { language: null })
  const choice = await screen.findByRole<HTMLSelectElement>('combobox')
  await waitFor(() => expect(choice.value).toBe('fr'))
  expect([...choice.options].map(({ text }) => text)).toEqual(['中文', 'Deutsch', 'Français'])
  fireEvent.change(choice, { target: { value: 'cn' } })
  expect(await screen.findByRole('button', { name: '登录' })).toBeTruthy()
  cleanup()
  answers['/plans/public'] = json({ code: 1, message: '', result: { title: { de: 'Fuhrpark' }, languages: ['de'] } })
  await open('/login', { language: null })
  await screen.findByRole('heading', { name: 'Fuhrpark' })
  expect([screen.queryByRole('combobox'), screen.queryByRole('button', { name: 'Deutsch' })]).toEqual([null, null])
})
