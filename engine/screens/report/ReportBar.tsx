import { Select } from 'antd'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { ActionButton, useEngine } from '../../client/index.ts'
import { filterProblem } from '../../client/filterProblem.ts'
import { useViews } from '../../client/useViews.ts'
import type { ActionPlan, ReportPlan, Value } from '../../model/model.ts'
import type { ReportModel } from './useReportModel.ts'

const texts = { group: { cn: '统计方式', en: 'Group by' }, export: { cn: '导出', en: 'Export' } }

/** The grouping of the records, the effective day, and the export. */
export function ReportBar({ model }: { model: ReportModel }) {
  const { plan, group, state, change, actions } = model
  const { text } = useEngine()
  const first = { list: { ...state.list, page: 1 } }
  const exporting: ActionPlan | undefined = plan.export && {
    name: 'export',
    label: texts.export,
    on: 'toolbar',
    permission: plan.export.permission,
    danger: false,
    primary: false,
    do: { kind: 'export', path: '/plans/report/export' },
  }
  return (
    <div className="report-bar">
      <Choice label={text(texts.group)}>
        {(id) => (
          <Select
            id={id}
            value={group.name}
            popupMatchSelectWidth={false}
            options={plan.groups.map(({ name, label }) => ({ value: name, label: text(label) }))}
            onChange={(name: string) => change({ group: name, ...first })}
          />
        )}
      </Choice>
      {plan.asOf && <AsOf plan={plan} value={state.asOf} onChange={(asOf) => change({ asOf, ...first })} />}
      <span className="report-spring" />
      {exporting && <ActionButton actions={actions} action={exporting} records={[]} />}
    </div>
  )
}

function Choice({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId()
  return (
    <span className="report-choice">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  )
}

/** The effective date of the report. */
function AsOf({ plan, value, onChange }: { plan: ReportPlan; value: string; onChange(day: string): void }) {
  const engine = useEngine()
  const { text } = engine
  const field = plan.asOf!
  const problemOf = (day: Value) => filterProblem(field, 'equals', { equals: day }, engine)
  /** Typed text that is not a date: it stays in the input and is not used. */
  const [unread, setUnread] = useState<Value>(null)
  const problem = problemOf(unread)
  const view = useViews([field.type])[field.type]
  const label = text(field.label)
  return (
    <Choice label={label}>
      {(id) =>
        view && (
          <>
            <view.Edit
              id={id}
              field={field}
              label={label}
              value={unread ?? value}
              invalid={problem !== undefined}
              describedBy={problem && `${id}-problem`}
              onChange={(day: Value) => {
                const isWrong = problemOf(day) !== undefined
                setUnread(isWrong ? day : null)
                if (!isWrong) onChange(String(day ?? ''))
              }}
            />
            {problem && (
              <span id={`${id}-problem`} className="filter-problem" role="alert">
                {text(problem)}
              </span>
            )}
          </>
        )
      }
    </Choice>
  )
}
