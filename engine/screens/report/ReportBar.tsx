import { Select } from 'antd'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { ActionButton, useEngine } from '../../client/index.ts'
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

/** The day as of which everything is read. */
function AsOf({ plan, value, onChange }: { plan: ReportPlan; value: string; onChange(day: string): void }) {
  const { text } = useEngine()
  const field = plan.asOf!
  const view = useViews([field.type])[field.type]
  const label = text(field.label)
  return (
    <Choice label={label}>
      {(id) =>
        view && (
          <view.Edit
            id={id}
            field={field}
            label={label}
            value={value}
            onChange={(day: Value) => onChange(String(day ?? ''))}
          />
        )
      }
    </Choice>
  )
}
