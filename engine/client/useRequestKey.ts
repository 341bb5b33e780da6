import { useRef } from 'react'
import { requestKeys } from './requestKeys.ts'

/** The request key of one form, reused by a retry: if the first attempt was stored, it is not stored twice. */
export function useRequestKey(path: string) {
  const key = useRef<string>(undefined)
  return {
    keyOf: (sent: object): string => (key.current ??= requestKeys.keyOf(path, sent)),
    /** The attempt is answered, so the next one is a new request. */
    answered() {
      if (key.current) requestKeys.answered(key.current)
      key.current = undefined
    },
  }
}
