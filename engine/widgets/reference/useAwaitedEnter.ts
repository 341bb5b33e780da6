import { useEffect, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useStable } from '../../client/useStable.ts'
import type { useOptions } from './options.view.tsx'

type Found = Pick<ReturnType<typeof useOptions>, 'list' | 'isBehind'>

/**
 * Enter chooses the first option that answers what is typed, also if the answer is still to come. Without one the list
 * stays open, and says so.
 */
export function useAwaitedEnter({ list, isBehind }: Found, typed: string, choose: (id: number) => void) {
  /** The text for which Enter was pressed before its answer came. */
  const [awaited, setAwaited] = useState<string>()
  const take = useStable(choose)
  const first = list.find(({ disabled }) => !disabled)?.id
  useEffect(() => {
    if (awaited === undefined) return
    if (awaited === typed && isBehind) return
    setAwaited(undefined)
    if (awaited === typed && first !== undefined) take(first)
  }, [awaited, typed, isBehind, first, take])
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '') return
    if (!isBehind && list.length > 0) return
    // The control would close, and a form around it submit.
    event.stopPropagation()
    event.preventDefault()
    if (isBehind) setAwaited(typed)
  }
}
