import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ScreenViewProps } from '../../client/index.ts'
import type { RecordData } from '../../model/model.ts'
import type { ImportDetailPlan } from './importDetail.ts'
import { stateOf } from './progress.ts'

type Frame = ScreenViewProps['frame']

/** The list of a batch's rows: its plan, frame and fixed filter, as far as the state of the batch decides them. */
export function useRowsOfBatch({
  plan,
  frame,
  batch,
}: Pick<ScreenViewProps<ImportDetailPlan>, 'plan' | 'frame'> & { batch: RecordData }) {
  const id = batch.id!
  const isChecked = batch.status === 'checked'
  const fixed = useMemo(() => ({ batch: { equals: id } }), [id])
  const changes = useChanges(stateOf(batch))
  const opens = useOpeningTab(plan.body, batch)
  const rowsFrame = useMemo(
    () => ({ ...frame, ...opens(frame), version: frame.version * 10_000 + changes }),
    [frame, opens, changes],
  )
  const rowsPlan = useMemo(() => {
    // Only rows of a checked file that has not been written can be corrected.
    const actions = plan.body.actions.filter(({ name }) => name !== 'fix' || isChecked)
    return { ...plan, body: { ...plan.body, actions } }
  }, [plan, isChecked])
  // The decision to write the file stands out.
  return { plan: rowsPlan, frame: rowsFrame, fixed, isOutranked: isChecked }
}

/** How often the state of the batch, and with it that of its rows, has changed since the page was opened. */
function useChanges(state: string): number {
  const [changes, setChanges] = useState(0)
  const first = useRef(state)
  useEffect(() => {
    if (first.current !== state) setChanges((count) => count + 1)
  }, [state])
  return changes
}

/**
 * Failed rows are shown first, unless another tab was chosen; choosing the first tab then puts its name in the address.
 */
function useOpeningTab({ tabs }: ImportDetailPlan, { failCount }: RecordData) {
  const first = tabs[0]?.name
  const opening = Number(failCount) > 0 && tabs.some(({ name }) => name === 'failed') ? 'failed' : first
  return useCallback(
    ({ state, setState }: Frame): Pick<Frame, 'state' | 'setState'> =>
      opening === undefined
        ? { state, setState }
        : { state: { tab: opening, ...state }, setState: (chosen) => setState({ tab: first, ...chosen }) },
    [opening, first],
  )
}
