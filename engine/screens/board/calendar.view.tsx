import { Button } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import { RequestError, errorText, fill, follow, useClient, useEngine, useList, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { useSettingFormulas } from '../../client/settingFormulas.ts'
import type { Label } from '../../model/model.ts'
import type { BoardCard, BoardStep } from './board.ts'
import { boardAge } from './boardAge.ts'
import { daysOf, stateOf } from './calendar.ts'

const texts = {
  day: { cn: '{from}日', en: 'Day {from}' },
  days: { cn: '{from}–{to}日', en: 'Days {from}–{to}' },
  waiting: { cn: '{n}项待办', en: '{n} waiting' },
  done: { cn: '已完成', en: 'Done' },
  late: { cn: '已逾期', en: 'Late' },
  due: { cn: '进行中', en: 'Due now' },
  coming: { cn: '未到期', en: 'Upcoming' },
}

interface CalendarProps {
  label: Label
  steps: BoardStep[]
  frame: ScreenFrame
  onSettled(name: string): void
}

/** What this month's work is, step by step, and how each of them stands. */
export function Calendar({ label, steps, frame, onSettled }: CalendarProps) {
  const { text } = useEngine()
  return (
    <section className="board-block" aria-label={text(label)}>
      <div className="board-block-head">
        <h2>{text(label)}</h2>
      </div>
      <ol className="board-calendar">
        {steps.map((step) => (
          <Step key={step.name} step={step} frame={frame} onSettled={onSettled} />
        ))}
      </ol>
    </section>
  )
}

/** Undefined: not known yet. A list that the user may not see after all is null: it is left out. */
type Waiting = Readonly<Record<string, number | null>>

function Step({ step, frame, onSettled }: { step: BoardStep; frame: ScreenFrame; onSettled(name: string): void }) {
  const { text, now } = useEngine()
  const { href } = useClient()
  const said = useSettingFormulas()
  const [waiting, setWaiting] = useState<Waiting>({})
  const [failed, setFailed] = useState<Readonly<Record<string, boolean>>>({})
  const tell = useCallback((name: string, count: number | null | undefined, hasFailed: boolean) => {
    if (count !== undefined) setWaiting((all) => (all[name] === count ? all : { ...all, [name]: count }))
    setFailed((all) => ((all[name] ?? false) === hasFailed ? all : { ...all, [name]: hasFailed }))
  }, [])
  const { lists, done } = step
  const isSettled = lists.every(({ name }) => waiting[name] !== undefined || failed[name])
  // A card may have the same name.
  useEffect(() => {
    if (isSettled) onSettled(`calendar ${step.name}`)
  }, [isSettled, onSettled, step.name])
  if (lists.length > 0 && lists.every(({ name }) => waiting[name] === null)) return null

  const today = now()
  const dayOf = (day: number | string, otherwise: number) =>
    typeof day === 'number' ? day : (said.number(day) ?? otherwise)
  const days = daysOf({ from: dayOf(step.days.from, 1), to: dayOf(step.days.to, 31) }, today)
  const known = lists.every(({ name }) => waiting[name] !== undefined)
  const left = done ? Number(!said.holds(done.when)) : lists.reduce((all, { name }) => all + (waiting[name] ?? 0), 0)
  const state = known ? stateOf(days, today, left) : undefined
  const to = done?.to ?? (lists.length === 1 ? lists[0].to : undefined)
  const label = text(step.label)
  return (
    <li data-state={state}>
      <span className="board-step-days">
        {fill(text(days.from === days.to ? texts.day : texts.days), { from: String(days.from), to: String(days.to) })}
      </span>
      {to === undefined ? (
        <span className="board-step-name">{label}</span>
      ) : (
        <a href={href(to)} onClick={(event) => follow(event, frame, to)}>
          {label}
        </a>
      )}
      <span className="board-step-facts">
        {!done && left > 0 && <span>{fill(text(texts.waiting), { n: String(left) })}</span>}
        {state && (
          <span
            className="board-mark"
            data-tag={
              state === 'late' ? 'danger' : state === 'due' ? 'warning' : state === 'done' ? 'success' : undefined
            }
          >
            {text(texts[state])}
          </span>
        )}
      </span>
      {lists.length > 0 && (
        <span className="board-step-lists">
          {lists.map((list) => (
            <StepList key={list.name} list={list} isNamed={lists.length > 1} frame={frame} onTold={tell} />
          ))}
        </span>
      )}
    </li>
  )
}

/** One of the lists of a step: counts what waits there, and leads to it where there are several. */
function StepList({
  list,
  isNamed,
  frame,
  onTold,
}: {
  list: BoardCard
  isNamed: boolean
  frame: ScreenFrame
  onTold(name: string, waiting: number | null | undefined, failed: boolean): void
}) {
  const { text, language } = useEngine()
  const { href } = useClient()
  const words = useWords()
  const { data, error, refetch } = useList(
    list.path,
    { page: 1, size: 1, filters: list.filters },
    { enabled: frame.active, version: frame.version, every: boardAge },
  )
  const isRefused = error instanceof RequestError && error.code === 403
  const waiting = isRefused ? null : data?.total
  useEffect(
    () => onTold(list.name, waiting, Boolean(error) && !isRefused),
    [onTold, list.name, waiting, error, isRefused],
  )
  if (isRefused) return null
  if (error && !data)
    return (
      <span className="board-block-failure" role="alert">
        {errorText(error, language)}{' '}
        <Button size="small" type="link" onClick={() => void refetch()}>
          {words('retry')}
        </Button>
      </span>
    )
  if (!isNamed || !data || data.total === 0) return null
  return (
    <a href={href(list.to)} onClick={(event) => follow(event, frame, list.to)}>
      {text(list.label)} {data.total}
    </a>
  )
}
