import { CloseOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { useTabs } from './tabs.ts'
import type { Tab } from './tabs.ts'
import { useShellWords } from './words.ts'

interface TabBarProps {
  titleOf(tab: Tab): string
  onActivate(tab: Tab): void
  /** Ask where there is unsaved work, then close; and go to that tab. */
  onClose(keys: string[], to?: Tab): void
  onRefresh(tab: Tab): void
}

/**
 * The visited screens: click or arrows to go there, middle click or Delete to close, right click for more, drag to
 * reorder.
 */
export function TabBar({ titleOf, onActivate, onClose, onRefresh }: TabBarProps) {
  const t = useShellWords()
  const { tabs, active, move } = useTabs()
  const bar = useRef<HTMLDivElement>(null)
  const dragged = useRef('')

  const closedByKeyboard = useRef(false)

  // What stands on the tabs makes them wider and narrower.
  const written = tabs.map((tab) => `${titleOf(tab)} ${tab.record?.name} ${tab.dirty}`).join()

  useLayoutEffect(() => {
    const open = bar.current?.querySelector<HTMLElement>('[aria-selected=true]')
    // Only along the bar: the page itself stays where it is.
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

  const closable = (filter: (tab: Tab) => boolean) =>
    tabs.filter((tab) => !tab.pinned && filter(tab)).map((tab) => tab.key)
  const menu = (tab: Tab) => [
    { key: 'refresh', label: t('refresh'), onClick: () => onRefresh(tab) },
    { key: 'close', label: t('close'), disabled: tab.pinned, onClick: () => onClose([tab.key]) },
    {
      key: 'others',
      label: t('closeOthers'),
      onClick: () =>
        onClose(
          closable((other) => other.key !== tab.key),
          tab,
        ),
    },
    { key: 'all', label: t('closeAll'), onClick: () => onClose(closable(() => true)) },
  ]
  // A tab is called what its screen is called. The record is data: it is seen beside the name, and read out as a
  // description.
  const descriptionOf = ({ record, dirty }: Tab) =>
    [record?.name, dirty && t('notSaved')].filter(Boolean).join(' · ') || undefined
  const onKeyDown = (event: KeyboardEvent, tab: Tab) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step) {
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]
      onActivate(next)
      document.getElementById(`tab-${next.key}`)?.focus()
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onActivate(tab)
    }
    if (event.key === 'Delete' && !tab.pinned) {
      closedByKeyboard.current = true
      onClose([tab.key])
    }
  }

  return (
    <div className="tab-bar" role="tablist" aria-label={t('visited')} ref={bar}>
      {tabs.map((tab) => (
        <Dropdown key={tab.key} trigger={['contextMenu']} autoFocus menu={{ items: menu(tab) }}>
          <div
            role="tab"
            id={`tab-${tab.key}`}
            className="tab"
            aria-selected={tab.key === active}
            aria-controls={`panel-${tab.key}`}
            title={descriptionOf(tab)}
            tabIndex={tab.key === active ? 0 : -1}
            draggable={!tab.pinned}
            onClick={() => onActivate(tab)}
            onKeyDown={(event) => onKeyDown(event, tab)}
            onAuxClick={(event) => {
              if (event.button === 1 && !tab.pinned) onClose([tab.key])
            }}
            onDragStart={() => {
              dragged.current = tab.key
            }}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => move(dragged.current, tab.key)}
          >
            <span className="tab-title">{titleOf(tab)}</span>
            {tab.record?.name && <span className="tab-record" data-name={tab.record.name} aria-hidden />}
            {tab.dirty && <span className="tab-dirty" aria-hidden />}
            {!tab.pinned && (
              <CloseOutlined
                className="tab-close"
                aria-hidden
                onClick={(event) => {
                  event.stopPropagation()
                  onClose([tab.key])
                }}
              />
            )}
          </div>
        </Dropdown>
      ))}
    </div>
  )
}
