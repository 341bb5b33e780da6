import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { judge, partAt, useAppBundle, useClient } from '../../engine/client/index.ts'
import type { ScreenPart } from '../../engine/client/index.ts'
import { textIn } from '../../engine/model/language.ts'
import type { Inspected } from '../../engine/model/model.ts'
import { Groups } from './InspectedGroups.tsx'
import { useInspecting } from './inspecting.ts'
import { useDeskWords } from './words.ts'
import './desk.css'

/** What was clicked: a part of a screen, or an entry of the menu; `text` is the visible text. */
interface Chosen {
  part: Pick<ScreenPart, 'screen' | 'name' | 'label' | 'around' | 'hidden'> & { part: ScreenPart['part'] | 'menu' }
  text: string
}
interface Box {
  top: number
  left: number
  width: number
  height: number
}

/**
 * A click on the page inspects the nearest part declared in a schema file. While inspecting, clicks do nothing else.
 */
export default function Inspector() {
  const t = useDeskWords()
  const { stop } = useInspecting()
  const queries = useQueryClient()
  const { screens } = useAppBundle()
  const [chosen, setChosen] = useState<Chosen>()
  const [box, setBox] = useState<Box>()

  useEffect(() => {
    const find = (target: Element): { part: Chosen['part']; element: HTMLElement } | undefined => {
      const route = target.closest('.sidebar a[href], .tab-bar [role=tab]')
      if (route) {
        const address = route.getAttribute('href')?.slice(1) ?? route.id.replace(/^tab-/, '')
        const screen = screens.find((each) => each.route === address.split('?')[0])
        if (screen)
          return {
            element: route as HTMLElement,
            part: { screen: screen.name, part: 'menu', name: '', label: screen.title, hidden: [] },
          }
      }
      const part = partAt(target, document.querySelector('main [role=tabpanel]:not([hidden])'), queries)
      return part && { part, element: part.part === 'screen' ? (target as HTMLElement) : part.element }
    }
    const isOwn = (target: EventTarget | null) => target instanceof Element && target.closest('.inspector') !== null
    const over = ({ target }: Event) => {
      if (!(target instanceof Element) || isOwn(target)) return setBox(undefined)
      const found = find(target)
      if (!found) return setBox(undefined)
      const { top, left, width, height } = found.element.getBoundingClientRect()
      setBox({ top, left, width, height })
    }
    const swallow = (event: Event) => {
      if (isOwn(event.target)) return
      event.preventDefault()
      event.stopPropagation()
    }
    const choose = (event: Event) => {
      if (isOwn(event.target) || !(event.target instanceof Element)) return
      swallow(event)
      const found = find(event.target)
      if (found) setChosen({ part: found.part, text: (event.target as HTMLElement).innerText?.trim() ?? '' })
    }
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      swallow(event)
      stop()
    }
    const swallowed = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'dblclick', 'submit'] as const
    swallowed.forEach((name) => window.addEventListener(name, swallow, true))
    window.addEventListener('pointerover', over, true)
    window.addEventListener('click', choose, true)
    window.addEventListener('keydown', leave, true)
    return () => {
      swallowed.forEach((name) => window.removeEventListener(name, swallow, true))
      window.removeEventListener('pointerover', over, true)
      window.removeEventListener('click', choose, true)
      window.removeEventListener('keydown', leave, true)
    }
  }, [queries, screens, stop])

  return createPortal(
    <>
      {box && <div className="inspector-box" style={box} aria-hidden />}
      <aside className="inspector" aria-label={t('inspector')}>
        <header>
          <p role="status">{t('inspectHint')}</p>
          <button type="button" className="header-button" onClick={stop}>
            {t('inspectEnd')}
          </button>
        </header>
        {chosen && (
          <Found
            key={JSON.stringify([chosen.part.screen, chosen.part.part, chosen.part.name, chosen.text])}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
      </aside>
    </>,
    document.body,
  )
}

function Found({ chosen: { part, text }, onChoose }: { chosen: Chosen; onChoose(chosen: Chosen): void }) {
  const t = useDeskWords()
  const { request, language } = useClient()
  const { screen, name, label, around, hidden } = part
  const kinds = {
    field: t('field'),
    column: t('column'),
    filter: t('filter'),
    action: t('action'),
    screen: t('screen'),
    menu: t('menu'),
  }
  const shown = text.length <= 500 && !text.includes('\n') ? text : ''
  const { data, error } = useQuery({
    queryKey: ['inspect', screen, part.part, name, shown],
    queryFn: ({ signal }) =>
      request.get<Inspected>('/plans/inspect', { screen, part: part.part, name, text: shown }, { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return (
    <div className="inspector-found">
      <h2>
        {kinds[part.part]}: {label ? textIn(label, language) : name} {name && <code>{name}</code>}
      </h2>
      {error && <p role="alert">{error.message}</p>}
      {data && <Groups found={data} around={around} />}
      {/* Only rendered with the answer, because its arrival would move it under the pointer. */}
      {(data ?? error) && hidden.length > 0 && (
        <section>
          <h3>{t('hidden')}</h3>
          <ul>
            {hidden.map((each) => (
              <li key={`${each.part}${each.name}`}>
                <button
                  type="button"
                  className="action-link"
                  onClick={() =>
                    onChoose({
                      part: { ...part, part: each.part, name: each.name, label: each.label, hidden: [] },
                      text: '',
                    })
                  }
                >
                  {textIn(each.label, language)}
                </button>
                {each.conditions.map((condition) => {
                  const judged = around && judge(condition, around)
                  return (
                    <p key={condition} className="inspector-reason">
                      {judged &&
                        t('reason', {
                          condition,
                          holds: t(judged.holds ? 'isTrue' : 'isFalse'),
                          because: because(judged.because, t('is')),
                        })}
                    </p>
                  )
                })}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const because = (read: { name: string; value: string }[], is: string) =>
  read.map(({ name, value }) => `${name} ${is} ${value}`).join(', ')
