import Fuse from 'fuse.js'
import { useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { permitted, useAppBundle, useClient } from '../../engine/client/index.ts'
import { textIn } from '../../engine/model/language.ts'
import type { Label } from '../../engine/model/model.ts'
import { constants } from './constants.ts'
import { useGo } from './GoProvider.tsx'
import { usePermissions } from './usePermissions.ts'
import { useShellWords } from './words.ts'

interface Entry {
  to: string
  title: Label
  area: Label
  keywords: string
}

/** A search field and its results: arrows choose, Enter opens. */
export default function RoutePalette({ onDone }: { onDone(): void }) {
  const t = useShellWords()
  const { language } = useClient()
  const go = useGo()
  const { app } = useAppBundle()
  const entries = useEntries()
  const fuse = useMemo(
    () =>
      new Fuse(entries, {
        keys: [...app.languages.map((each) => `title.${each}`), 'keywords', 'to'],
        threshold: constants.searchThreshold,
        ignoreLocation: true,
      }),
    [entries, app],
  )
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const found = (
    text.trim()
      ? nearestFirst(
          fuse.search(text.trim()).map(({ item }) => item),
          text.trim(),
        )
      : entries
  ).slice(0, 12)

  const openEntry = (entry: Entry | undefined) => {
    if (!entry) return
    go(entry.to)
    onDone()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      const next = (chosen + step + found.length) % Math.max(1, found.length)
      setChosen(next)
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key !== 'Enter') return
    // The focus returns to the button that opened this, which the same key would press.
    event.preventDefault()
    openEntry(found[chosen])
  }
  return (
    <div className="palette">
      <input
        id="palette-input"
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-label={t('search')}
        aria-activedescendant={found[chosen] && `palette-${chosen}`}
        placeholder={t('searchHint')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label={t('search')} ref={list}>
        {found.map((entry, index) => (
          <li
            key={entry.to}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseMove={() => setChosen(index)}
            onClick={() => openEntry(entry)}
          >
            <span>{textIn(entry.title, language)}</span>
            <small>{textIn(entry.area, language)}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">{t('nothingFound')}</p>}
    </div>
  )
}

/** Exact names first, then names that begin with the text, then names that contain it. */
function nearestFirst(entries: Entry[], text: string): Entry[] {
  const wanted = text.toLowerCase()
  const rank = ({ title, keywords, to }: Entry) =>
    Math.min(
      ...[...Object.values(title), ...keywords.split('\n'), to].map((name) => {
        const own = name.toLowerCase()
        return own === wanted ? 0 : own.startsWith(wanted) ? 1 : 2
      }),
    )
  return entries
    .map((entry) => ({ entry, rank: rank(entry) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

function useEntries(): Entry[] {
  const { app, screens } = useAppBundle()
  const permissions = usePermissions()
  return useMemo(
    () =>
      permitted(screens, permissions).flatMap((screen) => {
        if (!screen.route) return []
        const area = app.areas.find(({ name }) => name === screen.area)?.label ?? {}
        const entry = (to: string, title: Label): Entry => ({
          to,
          title,
          area,
          keywords: screen.keywords,
        })
        if (!screen.variants)
          return screen.parameters.some(({ required }) => required) ? [] : [entry(screen.route, screen.title)]
        const { parameter, titles, open } = screen.variants
        return open.map((value) => entry(`${screen.route}?${parameter}=${value}`, titles[value]))
      }),
    [app, screens, permissions],
  )
}
