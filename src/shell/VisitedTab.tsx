import { CloseOutlined } from '@ant-design/icons'
import type { KeyboardEvent } from 'react'
import { Dropdown } from '../../engine/client/index.ts'
import { useTabs } from './tabs.ts'
import type { Tab } from './tabs.ts'
import { useShellWords } from './words.ts'

export interface VisitedTabActions {
  /** Whether the address shows a screen; if not, no tab is selected. */
  onScreen: boolean
  titleOf(tab: Tab): string
  onActivate(tab: Tab): void
  /** Prompts if there is unsaved work, then closes, and goes to that tab. */
  onClose(keys: string[], to?: Tab): void
  onRefresh(tab: Tab): void
}

interface VisitedTabProps extends VisitedTabActions {
  tab: Tab
  /** Closed by the keyboard. */
  onDelete(): void
  onDragStart(): void
  onDrop(): void
}

/** One of the visited screens, with its menu. */
export function VisitedTab({
  tab,
  onScreen,
  titleOf,
  onActivate,
  onClose,
  onRefresh,
  onDelete,
  ...on
}: VisitedTabProps) {
  const t = useShellWords()
  const { tabs, active } = useTabs()
  const closable = (filter: (tab: Tab) => boolean) =>
    tabs.filter((each) => !each.pinned && filter(each)).map((each) => each.key)
  const isOther = (other: Tab) => other.key !== tab.key
  const menu = [
    { key: 'refresh', label: t('refresh'), onClick: () => onRefresh(tab) },
    { key: 'close', label: t('close'), disabled: tab.pinned, onClick: () => onClose([tab.key]) },
    { key: 'others', label: t('closeOthers'), onClick: () => onClose(closable(isOther), tab) },
    { key: 'all', label: t('closeAll'), onClick: () => onClose(closable(() => true)) },
  ]
  function onKeyDown(event: KeyboardEvent) {
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
    if (event.key === 'Delete' && !tab.pinned) onDelete()
  }
  // A tab has the name of its screen. The record is data: it is shown beside the name, and read out as a description.
  const description = [tab.record?.name, tab.dirty && t('notSaved')].filter(Boolean).join(' · ') || undefined

  return (
    <Dropdown trigger={['contextMenu']} autoFocus menu={{ items: menu }}>
      <div
        role="tab"
        id={`tab-${tab.key}`}
        className="tab"
        aria-selected={onScreen && tab.key === active}
        aria-controls={`panel-${tab.key}`}
        title={description}
        tabIndex={tab.key === active ? 0 : -1}
        draggable={!tab.pinned}
        onClick={() => onActivate(tab)}
        onKeyDown={onKeyDown}
        onAuxClick={(event) => {
          if (event.button === 1 && !tab.pinned) onClose([tab.key])
        }}
        onDragStart={on.onDragStart}
        onDragOver={(event) => event.preventDefault()}
        onDrop={on.onDrop}
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
  )
}
