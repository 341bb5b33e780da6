import { useStable } from '../../engine/client/index.ts'
import { useSettings } from './settings.ts'
import { useTabs } from './tabs.ts'
import type { Tab } from './tabs.ts'
import type { useLeaving } from './useLeaving.ts'
import { VisitedScreen } from './VisitedScreen.tsx'

interface VisitedPanelsProps {
  /** Whether the address shows a screen; if not, all panels are hidden. */
  onScreen: boolean
  titleOf(tab: Tab): string
  closeTabs: ReturnType<typeof useLeaving>['closeTabs']
}

/** The open screen and the hidden visited ones, each in the panel of its tab. */
export function VisitedPanels({ onScreen: isScreen, titleOf, closeTabs }: VisitedPanelsProps) {
  const { tabs, active, close, waitsFor } = useTabs()
  const onScreen = isScreen && waitsFor === undefined
  const { tagsView } = useSettings()

  /** Closes a screen's own tab, such as after a save; if the answer comes late, the user stays where they have gone. */
  const closeOwn = useStable((key: string, to?: string) => {
    if (onScreen && useTabs.getState().active === key) void closeTabs([key], to)
    else close(key)
  })
  const nameOf = (tab: Tab) => (tagsView ? { 'aria-labelledby': `tab-${tab.key}` } : { 'aria-label': titleOf(tab) })

  return tabs.map(
    (tab) =>
      !tab.asleep && (
        <div
          key={`${tab.key}#${tab.generation}`}
          role="tabpanel"
          id={`panel-${tab.key}`}
          {...nameOf(tab)}
          hidden={!onScreen || tab.key !== active}
          className="shell-panel"
        >
          <VisitedScreen tab={tab} active={onScreen && tab.key === active} onClose={closeOwn} />
        </div>
      ),
  )
}
