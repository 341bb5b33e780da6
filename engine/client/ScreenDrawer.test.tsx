// @vitest-environment jsdom
import { preloadOverlays } from './loadOverlays.ts'
import { NoticesProvider } from './notices.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { ConfigProvider } from 'antd'
import { useEffect, useState } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { stubBrowser } from '../../tests/stage.tsx'
import { ClientReact, ShownReact, useClient } from './frame.ts'
import type { ClientContext, ScreenFrame } from './frame.ts'
import { ScreenDrawer } from './ScreenDrawer.tsx'

let inside: ClientContext
let frameInside: ScreenFrame
vi.mock('./Screen.tsx', () => ({
  Screen({ frame }: { frame: ScreenFrame }) {
    inside = useClient()
    frameInside = frame
    return <input aria-label="the screen" />
  },
}))

const [onChanged, onClose, announce, navigate, setDirty] = [vi.fn(), vi.fn(), vi.fn(), vi.fn(), vi.fn()]
let setActive: (active: boolean) => void
function Opener() {
  const [active, set] = useState(true)
  useEffect(() => {
    setActive = set
  }, [])
  const frame: Partial<ScreenFrame> = { active, version: 0, navigate, setDirty }
  return (
    <ShownReact.Provider value={active}>
      <ScreenDrawer
        screen="thing.detail"
        query={{}}
        frame={frame as ScreenFrame}
        onChanged={onChanged}
        onClose={onClose}
      />
    </ShownReact.Provider>
  )
}

beforeAll(stubBrowser)
beforeAll(preloadOverlays)
beforeEach(async () => {
  const request = (() => new Promise(() => undefined)) as never
  const client: Partial<ClientContext> = { language: 'cn', request, announce }
  await act(async () => {
    render(
      <QueryClientProvider client={new QueryClient()}>
        <ClientReact.Provider value={client as ClientContext}>
          <ConfigProvider theme={{ token: { motion: false } }}>
            <NoticesProvider>
              <Opener />
            </NoticesProvider>
          </ConfigProvider>
        </ClientReact.Provider>
      </QueryClientProvider>,
    )
  })
  await screen.findByLabelText('the screen')
})
afterEach(() => {
  cleanup()
  vi.clearAllMocks()
})

const close = () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))

it('makes its opener reload when it begins to close, if something was changed in it', async () => {
  inside.announce('thing')
  expect(announce).toHaveBeenCalledWith('thing')
  expect(onChanged).not.toHaveBeenCalled()
  close()
  expect(onChanged).toHaveBeenCalledOnce()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

it('makes its opener reload after a call that is answered once it has closed', async () => {
  close()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(onChanged).not.toHaveBeenCalled()
  inside.announce('thing')
  expect(onChanged).toHaveBeenCalledOnce()
})

it('does not make its opener reload if nothing was changed', async () => {
  close()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(onChanged).not.toHaveBeenCalled()
})

it('is hidden with the screen below it, and keeps what was typed', async () => {
  fireEvent.change(screen.getByLabelText('the screen'), { target: { value: 'typed' } })
  await act(async () => setActive(false))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(onClose).not.toHaveBeenCalled()
  await act(async () => setActive(true))
  await screen.findByRole('dialog')
  expect(screen.getByDisplayValue('typed')).toBeTruthy()
})

it('reports unsaved work within to the screen below until it is closed', async () => {
  await act(async () => frameInside.setDirty(true))
  const part = setDirty.mock.lastCall![1] as string
  expect([setDirty.mock.lastCall, part]).toEqual([[true, part], expect.stringMatching(/./)])
  close()
  fireEvent.click(await screen.findByRole('button', { name: /确\s*定/ }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(setDirty.mock.lastCall).toEqual([false, part])
})

it('closes when it leads elsewhere, but not with unsaved work', async () => {
  await act(async () => frameInside.setDirty(true))
  await act(async () => frameInside.navigate('/elsewhere'))
  expect(navigate).toHaveBeenCalledWith('/elsewhere')
  expect(screen.getByRole('dialog')).toBeTruthy()
  await act(async () => frameInside.setDirty(false))
  await act(async () => frameInside.navigate('/elsewhere'))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

it('asks before unsaved work is lost, and a question is answered with no once the screen is hidden', async () => {
  const questions = () => screen.queryAllByRole('dialog', { name: /内容尚未保存/ })
  await act(async () => frameInside.setDirty(true))
  close()
  await waitFor(() => expect(questions()).toHaveLength(1))
  await act(async () => setActive(false))
  await waitFor(() => expect(questions()).toHaveLength(0))
  expect(onClose).not.toHaveBeenCalled()
})
