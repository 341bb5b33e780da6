import { App } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isSignedOut } from '../session/legacy.ts'
import { forget, readUser } from '../session/session.ts'
import type { UserInfo } from '../session/session.ts'
import { text } from '../session/words.ts'
import { constants } from './constants.ts'
import { useTabs } from './tabs.ts'

/** The signed-in user, or why they could not be read. */
export function useSessionUser() {
  const { message, modal } = App.useApp()
  const [user, setUser] = useState<UserInfo>()
  const [failure, setFailure] = useState('')

  // Results of an earlier or abandoned request are ignored.
  const reading = useRef(0)
  const read = useCallback(async () => {
    const mine = ++reading.current
    setFailure('')
    const found = await readUser().catch((error: unknown) => error as Error)
    if (mine !== reading.current) return
    if (!(found instanceof Error)) return setUser(found)
    setFailure(found.message)
    void message.error(found.message, constants.errorToast / 1000)
    if (!isSignedOut(found)) return
    const again = await modal.confirm({
      title: text('confirmLogout'),
      content: text('loggedOut'),
      okText: text('reLogin'),
      cancelText: text('cancel'),
    })
    if (again) signInAgain()
  }, [message, modal])
  useEffect(() => {
    void read()
    return () => {
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- a count, no element: its latest value is meant
      reading.current++
    }
  }, [read])
  return { user, failure, read }
}

/** Ends an existing session: without it, the page leads to the sign-in page and from there back here. */
export function signInAgain(): void {
  forget()
  useTabs.getState().reset()
  window.location.reload()
}
