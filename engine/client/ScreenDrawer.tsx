import { textIn } from '../model/language.ts'
import { Drawer } from './overlays.tsx'
import { ClientReact, useClient, useShown } from './frame.ts'
import type { ScreenFrame } from './frame.ts'
import { useScreenBundle } from './records.ts'
import { Screen } from './Screen.tsx'
import { selectPlan } from './selectPlan.ts'
import { StepButtons } from './StepButtons.tsx'
import type { Steps } from './StepButtons.tsx'
import { useConfirmLeaving } from './useConfirmLeaving.ts'
import { useDrawerFrame } from './useDrawerFrame.ts'

export interface ScreenDrawerProps {
  screen: string
  query: Readonly<Record<string, string>>
  /** The frame of the screen that opened the drawer. */
  frame: ScreenFrame
  /** Steps to the records before and after the open one. */
  steps?: Steps
  /**
   * Called if records were changed in the drawer: when it starts to close, and again after a call that is answered
   * later.
   */
  onChanged?(): void
  /** Called once the drawer is fully closed. */
  onClose(): void
}

/** A screen on top of another one, in its own frame. It is hidden with the screen below, and keeps what was typed. */
export function ScreenDrawer({ screen, query, frame: outer, steps, onChanged, onClose }: ScreenDrawerProps) {
  const { language } = useClient()
  const leave = useConfirmLeaving()
  const shown = useShown()
  const { data: bundle } = useScreenBundle({ name: screen })
  const selected = bundle && selectPlan(bundle.plan, query)
  const { frame, client, open, dirty, busy, width, setDirty, shut } = useDrawerFrame(outer, onChanged)

  const leaveFor = (go: () => void) =>
    leave(dirty, () => {
      setDirty(false)
      go()
    })
  const plan = selected && 'plan' in selected ? selected.plan : bundle?.plan
  return (
    <Drawer
      open={open && shown}
      title={plan && textIn(plan.title, language)}
      width={`min(${width}px, 100vw)`}
      extra={steps && <StepButtons steps={steps} go={(step) => void leaveFor(step)} />}
      onClose={() => void leaveFor(shut)}
      afterOpenChange={(isOpen) => {
        if (!isOpen && !open) onClose()
      }}
    >
      <ClientReact.Provider value={client}>
        <div className="screen-drawer" aria-busy={busy}>
          <Screen name={screen} query={query} frame={frame} />
        </div>
      </ClientReact.Provider>
    </Drawer>
  )
}
