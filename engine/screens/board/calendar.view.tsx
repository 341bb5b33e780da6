import { Button } from 'antd'
import { useEffect } from 'react'
import { RequestError, errorText, fill, follow, useClient, useEngine, useList, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import type { Label } from '../../schema/model.ts'
import type { BoardStep } from './board.ts'
import { boardAge } from './boardAge.ts'
import { daysOf, stateOf } from './calendar.ts'

const texts = {
  day: { cn: '{from}日', en: 'Day {from}' }, days: { cn: '{from}–{to}日', en: 'Days {from}–{to}' }, waiting: { cn: '{n}项待办', en: '{n} waiting' },
  done: { cn: '已完成', en: 'Done' }, late: { cn: '已逾期', en: 'Late' }, due: { cn: '进行中', en: 'Due now' }, coming: { cn: '未到期', en: 'To come' },
}

interface CalendarProps { label: Label; steps: BoardStep[]; frame: ScreenFrame; onSettled(name: string): void }

/** What this month's work is, step by step, and how each of them stands. */
export function Calendar({ label, steps, frame, onSettled }: CalendarProps) {
  const { text } = useEngine()
  return (
    <section className="board-block" aria-label={text(label)}>
      <div className="board-block-head"><h2>{text(label)}</h2></div>
      <ol className="board-calendar">
        {steps.map((step) => <Step key={step.name} step={step} frame={frame} onSettled={onSettled} />)}
      </ol>
    </section>
  )
}

function Step({ step, frame, onSettled }: { step: BoardStep; frame: ScreenFrame; onSettled(name: string): void }) {
  const { text, language, now } = useEngine()
  const { href } = useClient()
  const words = useWords()
  const { data, error, refetch } = useList(step.path, { page: 1, size: 1, filters: step.filters }, { enabled: frame.active, version: frame.version, every: boardAge })
  const isSettled = Boolean(data ?? error)
  // A card may have the same name.
  useEffect(() => { if (isSettled) onSettled(`calendar ${step.name}`) }, [isSettled, onSettled, step.name])
  if (error instanceof RequestError && error.code === 403) return null
  const today = now()
  const days = daysOf(step.days, today)
  const waiting = data?.total ?? 0
  const state = data ? stateOf(step.days, today, waiting) : undefined
  return (
    <li data-state={state}>
      <span className="board-step-days">{fill(text(days.from === days.to ? texts.day : texts.days), { from: String(days.from), to: String(days.to) })}</span>
      <a href={href(step.to)} onClick={(event) => follow(event, frame, step.to)}>{text(step.label)}</a>
      {error && !data && <span className="board-block-failure" role="alert">{errorText(error, language)} <Button size="small" type="link" onClick={() => void refetch()}>{words('retry')}</Button></span>}
      <span className="board-step-facts">
        {waiting > 0 && <span>{fill(text(texts.waiting), { n: String(waiting) })}</span>}
        {state && <span className="board-mark" data-tag={state === 'late' ? 'danger' : state === 'due' ? 'warning' : state === 'done' ? 'success' : undefined}>{text(texts[state])}</span>}
      </span>
    </li>
  )
}
