import { useCallback, useEffect, useRef, useState } from 'react'
import { useStable, useNotices } from '../../engine/client/index.ts'
import { isSignedOut } from '../session/legacy.ts'
import { forget, readUser } from '../session/session.ts'
import type { UserInfo } from '../session/session.ts'
import { text } from '../session/words.ts'
import { constants } from './constants.ts'
import { useTabs } from './tabs.ts'

/**
 * The signed-in user, or why they could not be read.
 *
 * @param open whether a user is signed in; one who signs in again is read again
 * @param onOtherUser called if the screens wait for another user
 */
export function useSessionUser(open: boolean, onOtherUser: () => void) {
  const { message, modal } = useNotices()
  const [user, setUser] = useState<UserInfo>()
  const [failure, setFailure] = useState('')

  const other = useStable(onOtherUser)

  // Results of an earlier or abandoned request are ignored.
  const reading = useRef(0)
  const read = useCallback(async () => {
    const mine = ++reading.current
    setFailure('')
    const found = await readUser().catch((error: unknown) => error as Error)
    if (mine !== reading.current) return
    const { waitsFor, resume, reset } = useTabs.getState()
    if (!(found instanceof Error)) {
      if (waitsFor !== undefined && waitsFor !== found.id) {
        reset()
        return other()
      }
      // They stay hidden while the server refuses everything but a new password.
      if (!found.mustChangePassword) resume()
      return setUser(found)
    }
    setFailure(found.message)
    if (waitsFor !== undefined) return
    void message.error(found.message, constants.errorToast / 1000)
    if (!isSignedOut(found)) return
    const again = await modal.confirm({
      title: text('confirmLogout'),
      content: text('loggedOut'),
      okText: text('reLogin'),
      cancelText: text('cancel'),
    })
    if (again) signInAgain()
  }, [message, modal, other])
  useEffect(() => {
    if (!open) return
    void read()
    return () => {
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- a counter, not an element: the latest value is intended
      reading.current++
    }
  }, [open, read])
  return { user, failure, read }
}

/** Ends an existing session: without it, the page leads to the sign-in page and from there back here. */
export function signInAgain(): void {
  forget()
  useTabs.getState().reset()
  window.location.reload()
}
