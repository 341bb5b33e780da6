import { fill, follow, useClient, useEngine } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { useSettingFormulas } from '../../client/settingFormulas.ts'
import type { Label } from '../../model/model.ts'
import type { BoardCard, BoardStep } from './board.ts'
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
  waiting: WaitingOf
  frame: ScreenFrame
}
/** Undefined until loaded. Null: the user may not see it after all. */
type WaitingOf = (name: string) => { total: number } | null | undefined

/** This month's steps, each with its status. */
export function Calendar({ label, steps, waiting, frame }: CalendarProps) {
  const { text } = useEngine()
  return (
    <section className="board-block" aria-label={text(label)}>
      <div className="board-block-head">
        <h2>{text(label)}</h2>
      </div>
      <ol className="board-calendar">
        {steps.map((step) => (
          <Step key={step.name} step={step} waiting={waiting} frame={frame} />
        ))}
      </ol>
    </section>
  )
}

function Step({ step, waiting, frame }: { step: BoardStep; waiting: WaitingOf; frame: ScreenFrame }) {
  const { text, now } = useEngine()
  const { href } = useClient()
  const formulas = useSettingFormulas()
  const { done } = step
  const isKnown = step.lists.every(({ counts }) => waiting(counts) !== undefined)
  const lists = step.lists.filter(({ counts }) => waiting(counts) !== null)
  if (step.lists.length > 0 && lists.length === 0) return null

  const today = now()
  const dayOf = (day: number | string, otherwise: number) =>
    typeof day === 'number' ? day : (formulas.number(day) ?? otherwise)
  const days = daysOf({ from: dayOf(step.days.from, 1), to: dayOf(step.days.to, 31) }, today)
  const totalOf = ({ counts }: BoardCard) => waiting(counts)?.total ?? 0
  const left = done ? Number(!formulas.holds(done.when)) : lists.reduce((all, list) => all + totalOf(list), 0)
  const state = isKnown ? stateOf(days, today, left) : undefined
  const to = done?.to ?? (step.lists.length === 1 ? lists[0].to : undefined)
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
      {step.lists.length > 1 && (
        <span className="board-step-lists">
          {lists
            .filter((list) => totalOf(list) > 0)
            .map((list) => (
              <a key={list.name} href={href(list.to)} onClick={(event) => follow(event, frame, list.to)}>
                {text(list.label)} {totalOf(list)}
              </a>
            ))}
        </span>
      )}
    </li>
  )
}
