import { useLayoutEffect, useRef } from 'react'
import { useTabs } from './tabs.ts'
import { VisitedTab } from './VisitedTab.tsx'
import type { VisitedTabActions } from './VisitedTab.tsx'
import { useShellWords } from './words.ts'

/**
 * The visited screens: click or arrow keys to go there, middle click or Delete to close, right click for more, drag to
 * reorder.
 */
export function TabBar({ onScreen, titleOf, onActivate, onClose, onRefresh }: VisitedTabActions) {
  const t = useShellWords()
  const { tabs, active, move } = useTabs()
  const bar = useRef<HTMLDivElement>(null)
  const dragged = useRef('')

  const closedByKeyboard = useRef(false)

  // The texts on the tabs change their widths.
  const written = tabs.map((tab) => `${titleOf(tab)} ${tab.record?.name} ${tab.dirty}`).join()

  useLayoutEffect(() => {
    const open = bar.current?.querySelector<HTMLElement>('[tabindex="0"]')
    // Only along the bar: the page itself does not scroll.
    if (open && bar.current) {
      const { offsetLeft, offsetWidth } = open
      const { scrollLeft, clientWidth } = bar.current
      if (offsetLeft < scrollLeft) bar.current.scrollLeft = offsetLeft
      if (offsetLeft + offsetWidth > scrollLeft + clientWidth)
        bar.current.scrollLeft = offsetLeft + offsetWidth - clientWidth
    }
    if (!closedByKeyboard.current) return
    closedByKeyboard.current = false
    open?.focus()
  }, [active, tabs.length, written])

  return (
    <div className="tab-bar" role="tablist" aria-label={t('visited')} ref={bar}>
      {tabs.map((tab) => (
        <VisitedTab
          key={tab.key}
          tab={tab}
          onScreen={onScreen}
          titleOf={titleOf}
          onActivate={onActivate}
          onClose={onClose}
          onRefresh={onRefresh}
          onDelete={() => {
            closedByKeyboard.current = true
            onClose([tab.key])
          }}
          onDragStart={() => {
            dragged.current = tab.key
          }}
          onDrop={() => move(dragged.current, tab.key)}
        />
      ))}
    </div>
  )
}
