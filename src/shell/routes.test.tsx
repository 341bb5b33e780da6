// @vitest-environment jsdom
/** The addresses of the frame in the specification; those of screens are opened by tests/openedRoutes.test.ts. */
import { readFileSync } from 'node:fs'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { button, hash, open, shell } from '../../tests/page.tsx'

const listed = (JSON.parse(readFileSync('tests/routes.json', 'utf8')) as { path: string; area: string }[])
  .filter(({ area }) => area === 'base')
  .map(({ path }) => path)

const leadsTo = async (path: string, target: string) => {
  await open(path, { token: 'old' })
  await shell()
  await waitFor(() => expect(hash()).toBe(target))
}
const isNotFound = async (path: string) => {
  await open(path, { token: 'old' })
  await screen.findByRole('heading', { name: '页面不存在' })
  expect(hash()).toBe(path)
}
const opened: Record<string, () => Promise<void>> = {
  '/': () => leadsTo('/', '/home'),
  '/home': () => leadsTo('/home', '/home'),
  '/login': async () => {
    await open('/login')
    await button('登录')
    expect(hash()).toBe('/login')
  },
  '/redirect/:path*': () => leadsTo('/redirect/customer?tab=pending', '/customer?tab=pending'),
  '*': async () => {
    await isNotFound('/no/such/page')
    document.body.replaceChildren()
    await isNotFound('/settlement/no/such/page')
  },
}

test('each listed address is opened here', () => expect(listed.sort()).toEqual(Object.keys(opened).sort()))
test.each(listed)('%s', async (path) => opened[path]?.())
