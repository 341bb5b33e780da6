import { App, Drawer } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { ClientReact, useClient } from './frame.ts'
import type { ScreenFrame } from './frame.ts'
import { useScreenBundle } from './records.ts'
import { Screen } from './Screen.tsx'
import { selectPlan } from './selectPlan.ts'
import { StepButtons } from './StepButtons.tsx'
import type { Steps } from './StepButtons.tsx'
import { useStable } from './useStable.ts'
import { useWords } from './words.ts'

export interface ScreenDrawerProps {
  screen: string
  query: Readonly<Record<string, string>>
  /** The frame of the screen that opened it. */
  frame: ScreenFrame
  /** To the records before and after the one that is open. */
  steps?: Steps
  /** Records were changed: when it begins to close, and for a call that is answered later. */
  onChanged?(): void
  /** It is out of sight. */
  onClose(): void
}

/** In pixels, for what does not say how wide it is. */
const usualWidth = 1040

/** A screen over another one, in a frame of its own. */
export function ScreenDrawer({ screen, query, frame: outer, steps, onChanged, onClose }: ScreenDrawerProps) {
  const client = useClient()
  const words = useWords()
  const { modal } = App.useApp()
  const { data: bundle } = useScreenBundle({ name: screen })
  const selected = bundle && selectPlan(bundle.plan, query)
  const [open, setOpen] = useState(true)
  const [dirty, setDirty] = useState(false)
  const changed = useRef(false)
  const isShut = useRef(false)
  const [busy, setBusy] = useState(true)
  const [width, setWidth] = useState(usualWidth)
  const [state, setState] = useState<Readonly<Record<string, string>>>({})
  const { active, version, navigate } = outer
  // Its opener reads again while it goes out, and is up to date when it can be used.
  const shut = useStable(() => {
    setOpen(false)
    isShut.current = true
    if (changed.current) onChanged?.()
    changed.current = false
  })
  const noteChange = useStable(() => {
    if (isShut.current) onChanged?.()
    else changed.current = true
  })

  const frame = useMemo<ScreenFrame>(
    () => ({
      place: 'drawer',
      active,
      version,
      state,
      setState,
      setDirty,
      setBusy,
      setWidth,
      navigate(to) {
        shut()
        navigate(to)
      },
      close(outcome) {
        setDirty(false)
        if (outcome?.changed) noteChange()
        shut()
      },
    }),
    [active, version, state, navigate, shut, noteChange],
  )

  const inner = useMemo(
    () => ({
      ...client,
      announce: (entity: string) => {
        noteChange()
        client.announce(entity)
      },
    }),
    [client, noteChange],
  )

  const leaveFor = (go: () => void) => {
    if (!dirty) return go()
    void modal.confirm({
      title: words('leaveConfirm'),
      okText: words('ok'),
      cancelText: words('cancel'),
      onOk: () => {
        setDirty(false)
        go()
      },
    })
  }
  const leave = () => leaveFor(shut)
  return (
    <Drawer
      open={open}
      title={(selected && 'plan' in selected ? selected.plan : bundle?.plan)?.title[client.language]}
      width={`min(${width}px, 100vw)`}
      extra={steps && <StepButtons steps={steps} go={leaveFor} />}
      onClose={leave}
      afterOpenChange={(shown) => {
        if (!shown) onClose()
      }}
      destroyOnHidden
    >
      <ClientReact.Provider value={inner}>
        <div className="screen-drawer" aria-busy={busy}>
          <Screen name={screen} query={query} frame={frame} />
        </div>
      </ClientReact.Provider>
    </Drawer>
  )
}
