import { useNotices } from '../../client/notices.tsx'
import { Button, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { follow, useClient, useEngine, useMenu, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { usePreference } from '../../client/records.ts'
import { reportError } from '../../client/reportResult.tsx'
import type { BoardLinks } from './board.ts'
import { chosenPages, pagesOf } from './links.ts'
import type { LinksPreference } from './links.ts'
import { LinksDialog } from './LinksDialog.tsx'

const texts = {
  choose: { cn: '设置', en: 'Choose' },
  empty: { cn: '把常用页面放在这里，一步打开', en: 'Add the pages you open every day' },
}

interface LinksProps {
  links: BoardLinks
  screen: string
  route: string | undefined
  frame: ScreenFrame
  onSettled(name: string): void
}

/** The pages that the user has linked, each with how much waits there. */
export function Links({ links, screen, route, frame, onSettled }: LinksProps) {
  const { text } = useEngine()
  const { href } = useClient()
  const words = useWords()
  const app = useNotices()
  const menu = useMenu()
  const preference = usePreference<LinksPreference>(`links:${screen}`)
  const [choosing, setChoosing] = useState(false)
  const isSettled = (menu.items.length > 0 || menu.error !== undefined) && !preference.isPending
  useEffect(() => {
    if (isSettled) onSettled('links')
  }, [isSettled, onSettled])

  const label = text(links.label)
  const pages = pagesOf(menu.items, route)
  const begin = chosenPages(pages, links.begin, links.max)
  const shown = preference.value ? chosenPages(pages, preference.value.routes, links.max) : begin
  return (
    <section className="board-block" aria-label={label}>
      <div className="board-block-head">
        <h2>{label}</h2>
        <Button
          type="link"
          size="small"
          aria-label={`${text(texts.choose)}: ${label}`}
          disabled={pages.length === 0}
          onClick={() => setChoosing(true)}
        >
          {text(texts.choose)}
        </Button>
      </div>
      {menu.error && pages.length === 0 && (
        <p className="board-block-failure" role="alert">
          {menu.error}{' '}
          <Button size="small" type="link" onClick={menu.retry}>
            {words('retry')}
          </Button>
        </p>
      )}
      {!isSettled && <Skeleton active paragraph={{ rows: 1 }} title={false} aria-label={words('loading')} />}
      {isSettled && pages.length > 0 && shown.length === 0 && <p className="board-block-empty">{text(texts.empty)}</p>}
      {isSettled && shown.length > 0 && (
        <ul className="board-links">
          {shown.map((page) => (
            <li key={page.route}>
              <a href={href(page.route)} onClick={(event) => follow(event, frame, page.route)}>
                <span className="board-link-name" title={page.name}>
                  {page.name}
                </span>
                {page.above.length > 0 && <span className="board-link-above">{page.above.at(-1)}</span>}
                {page.waiting > 0 && <span className="board-link-waiting">{page.waiting}</span>}
              </a>
            </li>
          ))}
        </ul>
      )}
      {choosing && (
        <LinksDialog
          label={label}
          pages={pages}
          chosen={shown}
          begin={begin}
          max={links.max}
          onClose={() => setChoosing(false)}
          onSave={(routes) =>
            void preference.save({ routes }).catch((reason: unknown) => reportError(app, words, reason))
          }
        />
      )}
    </section>
  )
}
