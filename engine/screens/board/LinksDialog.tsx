import { Button } from 'antd'
import { Modal } from '../../client/overlays.tsx'
import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import { fill, pressable, useEngine, useShown, useWords } from '../../client/index.ts'
import { foundPages } from './links.ts'
import type { MenuPage } from './links.ts'

const texts = {
  chosen: { cn: '已选页面（{n}/{max}）', en: 'Chosen pages ({n} of {max})' },
  pages: { cn: '可选页面', en: 'Pages' },
  search: { cn: '搜索页面', en: 'Search pages' },
  none: { cn: '还没有选择页面', en: 'No pages chosen yet' },
  found: { cn: '没有符合的页面', en: 'No page matches' },
  restore: { cn: '恢复默认', en: 'Restore defaults' },
  up: { cn: '上移{name}', en: 'Move {name} up' },
  down: { cn: '下移{name}', en: 'Move {name} down' },
  remove: { cn: '移除{name}', en: 'Remove {name}' },
}

interface LinksDialogProps {
  label: string
  /** All pages that the user may choose. */
  pages: MenuPage[]
  chosen: MenuPage[]
  /** The default pages. */
  begin: MenuPage[]
  max: number
  onSave(routes: string[]): void
  onClose(): void
}

/** Lets the user choose the pages that the board links to, and their order. */
export function LinksDialog({ label, pages, chosen: before, begin, max, onSave, onClose }: LinksDialogProps) {
  const { text } = useEngine()
  const words = useWords()
  const [open, setOpen] = useState(true)
  const shown = useShown()
  const [routes, setRoutes] = useState(before.map(({ route }) => route))
  const box = useRef<HTMLInputElement>(null)
  const chosen = routes.flatMap((route) => pages.find((page) => page.route === route) ?? [])

  const move = (index: number, by: number) =>
    setRoutes((all) => {
      const moved = [...all]
      moved.splice(index + by, 0, ...moved.splice(index, 1))
      return moved
    })
  const remove = (route: string) => {
    setRoutes((all) => all.filter((each) => each !== route))
    // The button disappears with its row, so the focus moves to the search for pages.
    box.current?.focus()
  }
  const turn = (route: string) =>
    setRoutes((all) => (routes.includes(route) ? all.filter((each) => each !== route) : [...all, route]))
  return (
    <Modal
      open={open && shown}
      title={label}
      width={640}
      onCancel={() => setOpen(false)}
      afterClose={() => {
        if (!open) onClose()
      }}
      footer={
        <>
          {begin.length > 0 && (
            <Button onClick={() => setRoutes(begin.map(({ route }) => route))}>{text(texts.restore)}</Button>
          )}
          <Button onClick={() => setOpen(false)}>{words('cancel')}</Button>
          <Button
            type="primary"
            onClick={() => {
              onSave(routes)
              setOpen(false)
            }}
          >
            {words('ok')}
          </Button>
        </>
      }
    >
      <div className="links-dialog">
        <ChosenPages chosen={chosen} count={routes.length} max={max} onMove={move} onRemove={remove} />
        <FoundPages pages={pages} routes={routes} isFull={chosen.length >= max} box={box} onTurn={turn} />
      </div>
    </Modal>
  )
}

interface ChosenPagesProps {
  chosen: MenuPage[]
  /** How many are chosen, including pages that the user may no longer see. */
  count: number
  max: number
  onMove(index: number, by: number): void
  onRemove(route: string): void
}

function ChosenPages({ chosen, count, max, onMove, onRemove }: ChosenPagesProps) {
  const { text } = useEngine()
  return (
    <section aria-label={fill(text(texts.chosen), { n: count, max })}>
      <h3 aria-live="polite">{fill(text(texts.chosen), { n: chosen.length, max })}</h3>
      {chosen.length === 0 && <p>{text(texts.none)}</p>}
      <ol>
        {chosen.map((page, index) => (
          <li key={page.route}>
            <PageName page={page} />
            <button
              type="button"
              aria-label={fill(text(texts.up), { name: page.name })}
              {...pressable(index > 0, () => onMove(index, -1))}
            >
              ↑
            </button>
            <button
              type="button"
              aria-label={fill(text(texts.down), { name: page.name })}
              {...pressable(index < chosen.length - 1, () => onMove(index, 1))}
            >
              ↓
            </button>
            <button
              type="button"
              aria-label={fill(text(texts.remove), { name: page.name })}
              onClick={() => onRemove(page.route)}
            >
              ×
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface FoundPagesProps {
  pages: MenuPage[]
  /** The routes of the chosen pages. */
  routes: string[]
  isFull: boolean
  box: RefObject<HTMLInputElement>
  onTurn(route: string): void
}

function FoundPages({ pages, routes, isFull, box, onTurn }: FoundPagesProps) {
  const { text } = useEngine()
  const [search, setSearch] = useState('')
  const found = foundPages(pages, search)
  return (
    <section aria-label={text(texts.pages)}>
      <h3>{text(texts.pages)}</h3>
      <input
        ref={box}
        type="search"
        value={search}
        placeholder={text(texts.search)}
        aria-label={text(texts.search)}
        onChange={(event) => setSearch(event.target.value)}
      />
      {found.length === 0 && <p>{text(texts.found)}</p>}
      <ul>
        {found.map((page) => {
          const isChosen = routes.includes(page.route)
          return (
            <li key={page.route}>
              <label>
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={!isChosen && isFull}
                  onChange={() => onTurn(page.route)}
                />
                <PageName page={page} />
              </label>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function PageName({ page }: { page: MenuPage }) {
  return (
    <span className="links-dialog-page">
      {page.above.length > 0 && <span className="links-dialog-above">{page.above.join(' / ')} / </span>}
      {page.name}
    </span>
  )
}
