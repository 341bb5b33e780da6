import { memo, useMemo, useState } from 'react'
import { combineDirty, Screen, useStable } from '../../engine/client/index.ts'
import type { ScreenFrame } from '../../engine/client/index.ts'
import { useTabs } from './tabs.ts'
import type { Tab } from './tabs.ts'
import { useGo } from './GoProvider.tsx'

const { set, setRecord } = useTabs.getState()

interface VisitedScreenProps {
  tab: Tab
  active: boolean
  onClose(key: string, to?: string): void
}

/** One visited tab: the screen of its route, and the frame that the shell provides for it. */
export const VisitedScreen = memo(function VisitedScreen({ tab, active, onClose }: VisitedScreenProps) {
  const go = useGo()
  const setBusy = useStable((busy: boolean) => set(tab.key, { busy }))
  const [setDirty] = useState(() => combineDirty((dirty) => set(tab.key, { dirty })))
  const frame = useMemo<ScreenFrame>(
    () => ({
      place: 'page',
      active,
      navigate: go,
      close: (outcome) => {
        set(tab.key, { dirty: false })
        onClose(tab.key, outcome?.to)
      },
      setDirty,
      setBusy,
      setRecord: (record) => setRecord(record, tab.key),
      state: tab.state,
      setState: (state) => set(tab.key, { state }),
      version: tab.version,
    }),
    [active, tab.key, tab.state, tab.version, go, onClose, setDirty, setBusy],
  )
  return <Screen route={tab.route} query={tab.parameters} frame={frame} />
})
