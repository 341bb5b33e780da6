import { theme } from 'antd'
import type { useAppProps } from 'antd/es/app/context'
import { createContext, useContext, useLayoutEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { loadWithRetry } from './loadWithRetry.ts'
import { arrivedOf } from './lazy.ts'
import { loadOverlays } from './loadOverlays.ts'

/** Messages, questions and notifications. */
export type Notices = useAppProps

const NoticesReact = createContext<Notices | null>(null)

export function useNotices(): Notices {
  const notices = useContext(NoticesReact)
  if (!notices) throw new Error('useNotices: no NoticesProvider above')
  return notices
}

interface NoticesProviderProps {
  /** Seconds that a message stays. */
  duration?: number
  children: ReactNode
}

/** Renders notices beside its children. antd's are loaded for the first notice, or when the browser is idle. */
export function NoticesProvider({ duration, children }: NoticesProviderProps) {
  const [App, setApp] = useState(() => arrivedOf(loadOverlays)?.App)
  const { notices, arrived } = useMemo(
    () => later(() => void loadWithRetry(loadOverlays).then((found) => setApp(() => found.App))),
    [],
  )
  const { token } = theme.useToken()
  const { colorText, fontFamily, fontSize, lineHeight } = token
  return (
    <NoticesReact.Provider value={notices}>
      <div style={{ height: '100%', color: colorText, fontFamily, fontSize, lineHeight }}>{children}</div>
      {App && (
        <App message={{ duration }}>
          <Shown use={App.useApp} onShown={arrived} />
        </App>
      )}
    </NoticesReact.Provider>
  )
}

/** Passes antd's notices on once they have loaded. */
function Shown({ use, onShown }: { use(): Notices; onShown(notices: Notices): void }) {
  const notices = use()
  useLayoutEffect(() => onShown(notices), [notices, onShown])
  return null
}

const calls = {
  message: ['open', 'success', 'error', 'info', 'warning', 'loading', 'destroy'],
  modal: ['confirm', 'info', 'success', 'error', 'warning'],
  notification: ['open', 'success', 'error', 'info', 'warning', 'destroy'],
} as const

type Shows = (...given: unknown[]) => unknown
type Dialog = ReturnType<Notices['modal']['confirm']>

/** Notices that work before antd's have loaded; `begin` starts loading. */
function later(begin: () => void) {
  let present: Notices | undefined
  let arrived: (notices: Notices) => void = () => undefined
  const awaited = new Promise<Notices>((resolve) => {
    arrived = resolve
  })
  const shows =
    (kind: keyof typeof calls, name: string): Shows =>
    (...given) => {
      const show = (notices: Notices) => (notices[kind] as unknown as Record<string, Shows>)[name](...given)
      if (present) return show(present)
      begin()
      // Wrapped in a list, because awaiting the dialog's promise would wait for the user's answer.
      const shown = awaited.then((notices) => [show(notices) as Dialog] as const)
      const answer = shown.then(([dialog]) => dialog as unknown as Promise<boolean>)
      return Object.assign(answer, {
        destroy: () => void shown.then(([dialog]) => dialog.destroy()),
        update: (...change: Parameters<Dialog['update']>) => void shown.then(([dialog]) => dialog.update(...change)),
      })
    }
  const notices = Object.fromEntries(
    Object.entries(calls).map(([kind, names]) => [
      kind,
      Object.fromEntries(names.map((name) => [name, shows(kind as keyof typeof calls, name)])),
    ]),
  )
  return {
    notices: notices as unknown as Notices,
    arrived(found: Notices) {
      present = found
      arrived(found)
    },
  }
}
