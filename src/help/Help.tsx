import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { ScreenFailure, ScreenSkeleton, useClient } from '../../engine/client/index.ts'
import type { HelpAnswer, HelpSection, HelpTable } from '../../engine/model/model.ts'
import { helpRoute } from './address.ts'
import { sectionsWith, textIn } from './found.ts'
import { useHelpWords } from './words.ts'
import './help.css'

/** The help pages: `/help/<page>?at=<section>`. */
export default function Help() {
  const t = useHelpWords()
  const { request, language, href } = useClient()
  const { pathname, search } = useLocation()
  const page = pathname.split('/')[2] ?? 'manual'
  const at = new URLSearchParams(search).get('at') ?? ''
  const { data, error, refetch } = useQuery({
    queryKey: ['help', page],
    queryFn: ({ signal }) => request.get<HelpAnswer>('/help', { page }, { signal }),
    staleTime: 60_000,
    retry: false,
  })
  const field = useId()
  const [wanted, setWanted] = useState('')
  const found = useMemo(() => (data ? sectionsWith(data.sections, wanted, language) : []), [data, wanted, language])
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!data || !at) return
    const section = shown.current?.querySelector<HTMLElement>(`[data-section="${CSS.escape(at)}"]`)
    section?.scrollIntoView({ block: 'start' })
    section?.querySelector('h2')?.focus({ preventScroll: true })
  }, [data, at])

  if (error) return <ScreenFailure title={t('failed')} error={error} retry={() => void refetch()} />
  if (!data) return <ScreenSkeleton />
  const open = data.pages.find(({ name }) => name === data.name)
  const title = open ? textIn(open.title, language) : t('help')
  return (
    <article className="help">
      <header>
        <h1>{title}</h1>
        <nav aria-label={t('help')}>
          {data.pages.map(({ name, title: each }) => (
            <a key={name} href={href(`${helpRoute}/${name}`)} aria-current={name === data.name ? 'page' : undefined}>
              {textIn(each, language)}
            </a>
          ))}
        </nav>
        {data.language !== undefined && data.language !== language && <p role="note">{t('otherLanguage')}</p>}
        <search>
          <label htmlFor={field}>{t('search')}</label>
          <input
            id={field}
            type="search"
            autoComplete="off"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
          <span role="status">{wanted && (found.length > 0 ? t('found', { n: found.length }) : t('nothing'))}</span>
        </search>
      </header>
      <div className="help-columns">
        <nav aria-label={t('contents')}>
          <ol>
            {found.map(({ id, title: each }) => (
              <li key={id}>
                <a href={href(`${helpRoute}/${data.name}?at=${encodeURIComponent(id)}`)}>{textIn(each, language)}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div ref={shown}>
          {found.map((section) => (
            <Section key={section.id} section={section} />
          ))}
        </div>
      </div>
    </article>
  )
}

function Section({ section: { id, title, text, tables, html, route } }: { section: HelpSection }) {
  const t = useHelpWords()
  const { language, href } = useClient()
  return (
    <section data-section={id} aria-labelledby={`help-${id}`}>
      <h2 id={`help-${id}`} tabIndex={-1}>
        {textIn(title, language)}
      </h2>
      {text.map((each) => (
        <p key={textIn(each, language)}>{textIn(each, language)}</p>
      ))}
      {html !== undefined && (
        <div
          className="help-prose"
          // The server has sanitised it.
          dangerouslySetInnerHTML={{ __html: html.replaceAll('href="/help/', `href="${href(`${helpRoute}/`)}`) }}
        />
      )}
      {route !== undefined && (
        <p>
          <a href={href(route)}>{t('open')}</a>
        </p>
      )}
      {tables
        .filter(({ rows }) => rows.length > 0)
        .map((table, index) => (
          <Table key={index} table={table} label={textIn(table.title ?? title, language)} />
        ))}
    </section>
  )
}

function Table({ table: { title, columns, rows }, label }: { table: HelpTable; label: string }) {
  const { language } = useClient()
  return (
    // Makes content wider than the page scrollable by keyboard too.
    <div className="help-table" role="group" aria-label={label} tabIndex={0}>
      <table>
        {title && <caption>{textIn(title, language)}</caption>}
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th key={place} scope="col">
                {textIn(column, language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) =>
                place === 0 ? (
                  <th key={place} scope="row">
                    {textIn(cell, language)}
                  </th>
                ) : (
                  <td key={place}>{textIn(cell, language)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
