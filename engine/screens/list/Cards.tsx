import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useFormWords } from '../../client/formWords.ts'
import { useWords } from '../../client/words.ts'
import type { RecordData } from '../../model/model.ts'
import type { Card } from './card.ts'
import type { GridColumn, GridRowData } from './GridRow.tsx'
import { marksField } from './useGridColumns.tsx'

interface CardsProps {
  label: string
  columns: GridColumn[]
  card: Card
  rows: GridRowData[]
  /** Old records are still shown while new ones load. */
  stale: boolean
  /** If present, cards can be ticked. */
  ticks?: { has(id: number): boolean; set(records: RecordData[], ticked: boolean): void }
  /** Field → the sum over all matching records. */
  sums?: Record<string, string>
  /** Shown instead of cards. */
  empty: ReactNode
}

/** A list for touch screens: each record is a card with its identification, state, amount and primary action. */
export default function Cards({ label, columns, card, rows, stale, ticks, sums, empty }: CardsProps) {
  const words = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const column = columnOf(columns)
  const firstId = rows[0]?.record.id
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0
  }, [firstId])
  const summed = columns.filter(({ field }) => sums?.[field] !== undefined)
  const [all, setAll] = useState(false)
  return (
    <>
      {summed.length > 0 && rows.length > 0 && (
        <div className="cards-sums" role="group" aria-label={words('total')}>
          <span aria-hidden="true">{words('total')}</span>
          <dl>
            {summed.slice(0, all ? undefined : mostSums).map(({ field, label: name }) => (
              <div key={field}>
                <dt>{name}</dt>
                <dd>{sums![field]}</dd>
              </div>
            ))}
          </dl>
          {summed.length > mostSums && (
            <button type="button" className="action-link" aria-expanded={all} onClick={() => setAll(!all)}>
              {words(all ? 'collapse' : 'expand')}
            </button>
          )}
        </div>
      )}
      <div ref={scroller} className="cards" data-stale={stale || undefined}>
        <ul aria-label={label} aria-busy={stale}>
          {rows.map(({ record }, index) => {
            const amount = card.amounts.map(column).find((each) => each && each.text(record) !== '')
            const facts = card.facts.flatMap((field) => column(field) ?? []).filter((each) => each !== amount)
            return (
              <li key={record.id} data-record={record.id} data-ticked={ticks?.has(record.id!) || undefined}>
                {ticks && (
                  <input
                    type="checkbox"
                    aria-label={words('selectRow', { n: index + 1 })}
                    checked={ticks.has(record.id!)}
                    onChange={(event) => ticks.set([record], event.target.checked)}
                  />
                )}
                <CardContent record={record} columns={columns} card={card} amount={amount} />
                <div className="card-foot">
                  <CardFacts record={record} columns={facts} />
                  <div className="card-actions">{drawn(column(''), record)}</div>
                </div>
              </li>
            )
          })}
        </ul>
        {rows.length === 0 && <div className="cards-empty">{empty}</div>}
      </div>
    </>
  )
}

/** How many sums fit above the records. */
const mostSums = 4

const columnOf = (columns: GridColumn[]) => (field: string | undefined) => columns.find((each) => each.field === field)

const drawn = (column: GridColumn | undefined, record: RecordData): ReactNode =>
  column && (column.draw ? column.draw(record) : column.text(record))

/** The record's identification, then its state and amount, then other facts. */
function CardContent({
  record,
  columns,
  card,
  amount,
}: {
  record: RecordData
  columns: GridColumn[]
  card: Card
  amount: GridColumn | undefined
}) {
  const column = columnOf(columns)
  const words = useFormWords()
  const [title, second, state, marks] = [card.title, card.second, card.state, marksField].map(column)
  const problems = columns.flatMap((each) => {
    const problem = each.problem?.(record)
    if (!problem) return []
    // Most messages already name their field.
    const fullText = problem.startsWith(each.label)
      ? problem
      : words('elsewhere', { label: each.label, message: problem })
    return [{ label: each.label, problem, fullText, isHint: each.isHint?.(record) }]
  })
  // Problems that a field of the record already lists are not repeated.
  const secondText = second?.text(record) ?? ''
  const isListed = problems.length > 0 && problems.every(({ problem }) => secondText.includes(problem))
  const saysMore = secondText !== '' && !isListed && secondText !== title?.text(record)
  return (
    <div className="card-content">
      <div className="card-line">
        <strong id={columns[0].cellId?.(record)}>
          {card.labelled && <small>{title?.label} </small>}
          {drawn(title, record)}
        </strong>
        {state && <span className="card-state">{drawn(state, record)}</span>}
      </div>
      {(saysMore || amount) && (
        <div className="card-line">
          <span className="card-second">{saysMore && drawn(second, record)}</span>
          {amount && (
            <span className="card-amount">
              <small>{amount.label}</small> {amount.text(record)}
            </span>
          )}
        </div>
      )}
      {marks && <div className="card-marks">{drawn(marks, record)}</div>}
      {problems.map(({ label: name, fullText, isHint }) => (
        <p key={name} className="card-problem" data-hint={isHint || undefined}>
          {fullText}
        </p>
      ))}
    </div>
  )
}

function CardFacts({ record, columns }: { record: RecordData; columns: GridColumn[] }) {
  const known = columns.filter((column) => column.text(record) !== '')
  return (
    known.length > 0 && (
      <dl className="card-facts">
        {known.map((column) => (
          <div key={column.field}>
            <dt>{column.label}</dt>
            <dd>{column.text(record)}</dd>
          </div>
        ))}
      </dl>
    )
  )
}
