import { App, Drawer } from 'antd'
import { useMemo, useState } from 'react'
import { ClientReact, useClient } from './frame.ts'
import type { ScreenFrame } from './frame.ts'
import { useScreenBundle } from './records.ts'
import { Screen } from './Screen.tsx'
import { selectPlan } from './selectPlan.ts'
import { useWords } from './words.ts'

export interface ScreenDrawerProps {
  screen: string
  query: Readonly<Record<string, string>>
  /** The frame of the screen that opened it. */
  frame: ScreenFrame
  /** It was closed; `changed`: records were. */
  onClose(changed: boolean): void
}

/** A screen over another one, in a frame of its own. */
export function ScreenDrawer({ screen, query, frame: outer, onClose }: ScreenDrawerProps) {
  const client = useClient()
  const words = useWords()
  const { modal } = App.useApp()
  const { data: bundle } = useScreenBundle({ name: screen })
  const selected = bundle && selectPlan(bundle.plan, query)
  const [open, setOpen] = useState(true)
  const [dirty, setDirty] = useState(false)
  const [changed, setChanged] = useState(false)
  const [busy, setBusy] = useState(true)
  const [state, setState] = useState<Readonly<Record<string, string>>>({})
  const { active, version, navigate } = outer

  const frame = useMemo<ScreenFrame>(
    () => ({
      place: 'drawer',
      active,
      version,
      state,
      setState,
      setDirty,
      setBusy,
      navigate(to) {
        setOpen(false)
        navigate(to)
      },
      close(outcome) {
        setDirty(false)
        if (outcome?.changed) setChanged(true)
        setOpen(false)
      },
    }),
    [active, version, state, navigate],
  )

  // Whatever is changed in the drawer, whoever opened it reads again.
  const inner = useMemo(
    () => ({
      ...client,
      announce: (entity: string) => {
        setChanged(true)
        client.announce(entity)
      },
    }),
    [client],
  )

  const leave = () => {
    if (!dirty) return setOpen(false)
    void modal.confirm({
      title: words('leaveConfirm'),
      okText: words('ok'),
      cancelText: words('cancel'),
      onOk: () => setOpen(false),
    })
  }
  return (
    <Drawer
      open={open}
      title={(selected && 'plan' in selected ? selected.plan : bundle?.plan)?.title[client.language]}
      width="min(1040px, 100vw)"
      onClose={leave}
      afterOpenChange={(shown) => {
        if (!shown) onClose(changed)
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
