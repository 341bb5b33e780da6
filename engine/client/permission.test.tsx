// @vitest-environment jsdom
import { NoticesProvider } from './notices.tsx'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { stubBrowser } from '../../tests/stage.tsx'
import { ClientReact } from './frame.ts'
import type { ClientContext } from './frame.ts'
import { permitted, useButtonPermission } from './permission.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const refusal = {
  cn: '您没有操作权限，请向上级获取权限后再试！',
  en: 'You have no operation permission, please obtain permission from the higher-level authority and try again!',
}

/** Presses a button that needs `area:thing:edit`, in a session that stores these permissions. */
async function press({
  language = 'cn',
  stored,
  granted = {},
}: {
  language?: string
  stored?: string[]
  granted?: Record<string, boolean>
}) {
  const pressed = vi.fn()
  const client = { language, permissions: () => stored && new Set(stored) } as unknown as ClientContext
  function Place() {
    const permission = useButtonPermission(granted)
    return (
      <button
        type="button"
        onClick={() => {
          if (permission.check('area:thing:edit')) pressed()
        }}
      >
        {permission.has('area:thing:edit') ? 'may' : 'may not'}
      </button>
    )
  }
  await act(async () => {
    render(
      <NoticesProvider>
        <ClientReact.Provider value={client}>
          <Place />
        </ClientReact.Provider>
      </NoticesProvider>,
    )
  })
  const button = screen.getByRole('button')
  await act(async () => {
    fireEvent.click(button)
  })
  return { pressed: pressed.mock.calls.length, shows: button.textContent }
}

test('a button with a stored permission works without a message', async () => {
  expect(await press({ stored: ['area:thing:view', 'area:thing:edit'] })).toEqual({ pressed: 1, shows: 'may' })
  expect(screen.queryByText(refusal.cn)).toBeNull()
})

test.each(['cn', 'en'] as const)(
  'a press without permission does nothing but show the refusal in %s',
  async (language) => {
    expect(await press({ language, stored: ['area:thing:view', 'area:thing:editor', 'area:thing'] })).toEqual({
      pressed: 0,
      shows: 'may not',
    })
    expect(screen.getByText(refusal[language])).toBeTruthy()
  },
)

test('a permission denied by the screen plan is denied, whatever the session stores', async () => {
  expect(await press({ stored: ['area:thing:edit'], granted: { 'area:thing:edit': false } })).toEqual({
    pressed: 0,
    shows: 'may not',
  })
})

test('until the permissions are read, the server decides', async () => {
  expect(await press({})).toEqual({ pressed: 1, shows: 'may' })
})

test('only the permitted buttons of a list remain', () => {
  const buttons = ['view', 'edit', 'delete'].map((name) => ({ name, permission: `area:thing:${name}` }))
  expect(permitted(buttons, new Set(['area:thing:delete', 'area:thing:view'])).map(({ name }) => name)).toEqual([
    'view',
    'delete',
  ])
  expect(permitted(buttons, new Set())).toEqual([])
  expect(permitted(buttons, undefined)).toEqual(buttons)
})
