import { useRef } from 'react'
import type { CallRequest, Outlook } from '../../model/model.ts'
import { callAndFollow } from '../callAndFollow.ts'
import { useClient } from '../frame.ts'
import { useNotices } from '../notices.tsx'
import { useEngine } from '../view.ts'

/** Loads previews, of which only the last is wanted. */
export function usePreview() {
  const { request } = useClient()
  const { language } = useEngine()
  const app = useNotices()
  /** The preview whose answer is awaited. */
  const loading = useRef<{ key: string }>(undefined)

  /** Undefined if it was stopped, is no longer wanted, or is loaded already. */
  async function preview(path: string, call: CallRequest): Promise<Outlook | undefined> {
    const own = { key: JSON.stringify([path, call]) }
    const isWanted = () => loading.current === own
    if (loading.current?.key === own.key) return undefined
    loading.current = own
    try {
      const outlook = await callAndFollow<Outlook>({ app, language, request }, path, call)
      // A stopped job has no facts.
      return isWanted() && outlook.facts !== undefined ? outlook : undefined
    } catch (error) {
      if (isWanted()) throw error
      return undefined
    } finally {
      if (isWanted()) loading.current = undefined
    }
  }

  return {
    preview,
    /** The preview that is being loaded is no longer wanted. */
    withdraw() {
      loading.current = undefined
    },
  }
}
