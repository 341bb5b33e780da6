import { useNotices } from './notices.tsx'
import { useEffect, useRef } from 'react'
import type { JobProgress } from '../model/model.ts'
import { useClient } from './frame.ts'
import { reportError } from './reportResult.tsx'
import { useWords } from './words.ts'

/** Once `enabled`, resumes showing jobs that were running when the user left the page. */
export function useJobsUnderWay(enabled: boolean): void {
  const { request, announce, language } = useClient()
  const words = useWords()
  const app = useNotices()
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current || !enabled) return
    begun.current = true
    const failed = (error: unknown) => reportError(app, words, error)
    void request.get<{ list: JobProgress[] }>('/jobs').then(async ({ list }) => {
      if (list.length === 0) return
      const { followAgain } = await import('./followJob.tsx')
      followAgain({ app, language, request }, list, { failed, ended: announce })
    }, failed)
  }, [enabled, request, announce, language, words, app])
}
