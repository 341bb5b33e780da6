import { useMemo, useRef } from 'react'
import type { Actions } from '../../client/actions/useActions.tsx'

/** A stable object that delegates to the latest actions. */
export function useStableActions(live: Actions): Actions {
  const latest = useRef(live)
  latest.current = live
  return useMemo(
    () => ({
      run: (action, records) => latest.current.run(action, records),
      shown: (action, records) => latest.current.shown(action, records),
      granted: (action) => latest.current.granted(action),
      agreed: (...given) => latest.current.agreed(...given),
      refusal: (action) => latest.current.refusal(action),
      get frame() {
        return latest.current.frame
      },
      dialogs: null,
    }),
    [],
  )
}
