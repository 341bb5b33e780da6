import { Button, Skeleton } from 'antd'
import { useCallback, useEffect, useRef } from 'react'
import { useFormWords } from '../../client/formWords.ts'
import { errorText, fill, follow, useClient, useEngine, useWords } from '../../client/index.ts'
import type { ScreenFrame, ScreenViewProps } from '../../client/index.ts'
import { useWaiting } from '../../client/records.ts'
import type { Waiting } from '../../model/model.ts'
import type { BoardRecords } from './block.ts'
import { Block } from './blocks.view.tsx'
import type { BoardCard, BoardPlan } from './board.ts'
import { Calendar } from './calendar.view.tsx'
import { boardAge } from './boardAge.ts'
import { Links } from './links.view.tsx'
import { Numbers } from './numbers.view.tsx'
import { visibleParts } from './visibleParts.ts'
import './board.css'

const othersText = { cn: '其他岗位的待办（{n}）', en: 'Work of other roles ({n})' }

/**
 * The user's work: a card for each list of their own role, those of others on demand; linked pages; figures; the steps of the month;
 * news records; and pictures.
 */
export function BoardView({ plan, bundle, frame }: ScreenViewProps<BoardPlan>) {
  const { text, language } = useEngine()
  const { user } = useClient()
  const words = useFormWords()
  const common = useWords()
  const { welcome } = plan.body
  const { cards, others, blocks, numbers, steps, counts } = visibleParts(plan.body, {
    may: (permission) => bundle.granted[permission] !== false,
    roles: user.roles,
  })
  const { links } = plan.body
  const settle = useSettling(frame, Number(counts) + blocks.length + Number(links !== undefined))
  const { data, error, refetch } = useWaiting(plan.name, {
    enabled: counts && frame.active,
    version: frame.version,
    every: boardAge,
  })
  const waiting = (name: string) => data && (data[name] ?? null)
  const isCounted = Boolean(data ?? error)
  useEffect(() => {
    if (isCounted) settle(waitingCounts)
  }, [isCounted, settle])
  const draw = (kind: BoardRecords['kind']) =>
    blocks
      .filter((block): block is BoardRecords => block.kind === kind)
      .map((block) => (
        <Block
          key={block.name}
          block={block}
          screen={plan.name}
          entity={bundle.entities[block.entity]}
          frame={frame}
          onSettled={settle}
        />
      ))
  const draws = (shown: readonly BoardCard[]) =>
    shown.length > 0 && (
      <ul className="board-cards">
        {shown.map((card) => (
          <Card key={card.name} card={card} waiting={waiting(card.counts)} isLost={Boolean(error)} frame={frame} />
        ))}
      </ul>
    )
  return (
    <div className="board-view">
      <div className="board-welcome">
        <h1>{text(plan.title)}</h1>
        {cards.length > 0 && (
          <p>{welcome ? fill(text(welcome), { name: user.name }) : words('welcome', { name: user.name })}</p>
        )}
      </div>
      {error && !data && (
        <p className="board-block-failure" role="alert">
          {errorText(error, language)}{' '}
          <Button size="small" type="link" onClick={() => void refetch()}>
            {common('retry')}
          </Button>
        </p>
      )}
      {draws(cards)}
      {others.length > 0 && (
        <details className="board-others">
          <summary>{fill(text(othersText), { n: others.length })}</summary>
          {draws(others)}
        </details>
      )}
      {links && <Links links={links} screen={plan.name} route={plan.route} frame={frame} onSettled={settle} />}
      {numbers.length > 0 && (
        <div className="board-grid">
          {numbers.map((block) => (
            <Numbers key={block.name} block={block} screen={plan.name} frame={frame} onSettled={settle} />
          ))}
        </div>
      )}
      {steps.length > 0 && <Calendar label={plan.body.calendar!.label} steps={steps} waiting={waiting} frame={frame} />}
      {draw('records')}
      {draw('pictures')}
    </div>
  )
}

/** Contains spaces, so that it cannot be the name of a block. */
const waitingCounts = 'counts of what waits'

/** The board is busy until each of its parts has loaded. */
function useSettling({ setBusy }: ScreenFrame, parts: number) {
  const settled = useRef(new Set<string>())
  useEffect(() => {
    if (parts === 0) setBusy(false)
  }, [parts, setBusy])
  return useCallback(
    (name: string) => {
      settled.current.add(name)
      if (settled.current.size >= parts) setBusy(false)
    },
    [parts, setBusy],
  )
}

const dateTexts = {
  since: { cn: '最早 {date}', en: 'Oldest {date}' },
  due: { cn: '最近截止 {date}', en: 'Next due {date}' },
  overdue: { cn: '逾期自 {date}', en: 'Overdue since {date}' },
}

/** @param waiting null if the user may not see it after all, undefined until loaded */
function Card({
  card,
  waiting,
  isLost,
  frame,
}: {
  card: BoardCard
  waiting: Waiting[string] | null | undefined
  /** Whether the counts could not be read. */
  isLost: boolean
  frame: ScreenFrame
}) {
  const { text, now } = useEngine()
  const { href } = useClient()
  const words = useWords()
  if (waiting === null) return null
  const date = waiting?.first?.slice(0, 10)
  const dateKind = card.dated === 'due' && date !== undefined && date < now().slice(0, 10) ? 'overdue' : card.dated
  const dated = dateKind && date !== undefined ? fill(text(dateTexts[dateKind]), { date }) : undefined
  return (
    <li>
      <a
        className="board-card"
        data-tag={card.tag}
        href={href(card.to)}
        onClick={(event) => follow(event, frame, card.to)}
      >
        <span>{text(card.label)}</span>
        <span className="board-card-number">
          {waiting ? (
            waiting.total
          ) : isLost ? (
            '–'
          ) : (
            <Skeleton.Button active size="small" aria-label={words('loading')} />
          )}
        </span>
        {card.dated && <span className="board-card-date">{dated}</span>}
      </a>
    </li>
  )
}
