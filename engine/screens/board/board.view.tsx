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
import type { BoardNumbers } from './numbers.ts'
import { Numbers } from './numbers.view.tsx'
import './board.css'

/**
 * What waits for the user, one card for each list of work with how much of it there is, that of their own role first;
 * pages of their choice; how the month stands; records worth reading; and pictures.
 */
export function BoardView({ plan, bundle, frame }: ScreenViewProps<BoardPlan>) {
  const { text, language } = useEngine()
  const { user } = useClient()
  const words = useFormWords()
  const common = useWords()
  const { welcome } = plan.body
  // What the user may not see is not there at all.
  const may = (permission: string) => bundle.granted[permission] !== false
  const seen = plan.body.cards.filter(({ permission }) => may(permission))
  const isOwn = ({ roles }: BoardCard) => roles.some((role) => user.roles.includes(role))
  const cards = [...seen.filter(isOwn), ...seen.filter((card) => !isOwn(card))]
  const blocks = plan.body.blocks.filter(({ permission }) => may(permission))
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
  const numbers = blocks.filter((block): block is BoardNumbers => block.kind === 'figures' || block.kind === 'chart')
  const steps = (plan.body.calendar?.steps ?? [])
    .map((step) => ({ ...step, lists: step.lists.filter(({ permission }) => may(permission)) }))
    .filter(({ lists, done }) => lists.length > 0 || (done && may(done.permission)))
  const { links } = plan.body
  const counts = cards.length > 0 || steps.some(({ lists }) => lists.length > 0)
  const { data, error, refetch } = useWaiting(plan.name, {
    enabled: counts && frame.active,
    version: frame.version,
    every: boardAge,
  })
  const waiting = (name: string) => data && (data[name] ?? null)
  const parts = Number(counts) + blocks.length + Number(links !== undefined)
  const settled = useRef(new Set<string>())
  const { setBusy } = frame
  const settle = useCallback(
    (name: string) => {
      settled.current.add(name)
      if (settled.current.size >= parts) setBusy(false)
    },
    [parts, setBusy],
  )
  useEffect(() => {
    if (parts === 0) setBusy(false)
  }, [parts, setBusy])
  const isCounted = Boolean(data ?? error)
  useEffect(() => {
    // A block may have the same name.
    if (isCounted) settle('counts of what waits')
  }, [isCounted, settle])
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
      {cards.length > 0 && (
        <ul className="board-cards">
          {cards.map((card) => (
            <Card key={card.name} card={card} waiting={waiting(card.counts)} isLost={Boolean(error)} frame={frame} />
          ))}
        </ul>
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

const dateTexts = {
  since: { cn: '最早 {date}', en: 'Oldest {date}' },
  due: { cn: '最近截止 {date}', en: 'Next due {date}' },
}

/** `waiting`: null where the user may not see it after all, undefined while it is not known. */
function Card({
  card,
  waiting,
  isLost,
  frame,
}: {
  card: BoardCard
  waiting: Waiting[string] | null | undefined
  /** It could not be read. */
  isLost: boolean
  frame: ScreenFrame
}) {
  const { text } = useEngine()
  const { href } = useClient()
  const words = useWords()
  if (waiting === null) return null
  const dated =
    card.dated && waiting?.first !== undefined
      ? fill(text(dateTexts[card.dated]), { date: waiting.first.slice(0, 10) })
      : undefined
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
        {dated !== undefined && <span className="board-card-date">{dated}</span>}
      </a>
    </li>
  )
}
