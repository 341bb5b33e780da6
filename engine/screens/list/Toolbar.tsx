import { ColumnHeightOutlined, ReloadOutlined, SettingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { ActionButton } from '../../client/actions/ActionButton.tsx'
import type { Actions } from '../../client/actions/useActions.tsx'
import { MoreActions } from '../../client/actions/MoreActions.tsx'
import { Dropdown } from '../../client/Dropdown.tsx'
import { useWords } from '../../client/words.ts'
import type { ActionPlan, RecordData } from '../../model/model.ts'
import { rowHeights } from './columnChoices.ts'
import type { ArrangedColumn, ColumnChoice, Density } from './columnChoices.ts'
import { ColumnsDialog } from './ColumnsDialog.tsx'
import type { ListColumn } from './list.ts'
import { takesTicked } from './useTicks.ts'

interface ToolbarProps extends Look {
  plans: ActionPlan[]
  /** The bottom of a phone only has room for one action and a menu. */
  narrow: boolean
  actions: Actions
  ticked: RecordData[]
  onClear(): void
}

/** Actions on the list, on the ticked records, and on the list's appearance. */
export function Toolbar({ plans, narrow, actions, ticked, onClear, ...look }: ToolbarProps) {
  const words = useWords()
  const toolbar = plans.filter(({ on }) => on === 'toolbar').sort((a, b) => Number(b.primary) - Number(a.primary))
  const batch = plans.filter((plan) => plan.on === 'batch' && actions.shown(plan, ticked))
  const recordsOf = (plan: ActionPlan) => (takesTicked(plan) ? ticked : [])
  const all = [...toolbar, ...batch]
  // Actions on the ticked records come first.
  const offered = ticked.length > 0 ? [...batch, ...toolbar] : toolbar
  const seen = narrow ? offered.slice(0, 1) : all
  const more = narrow ? offered.slice(1) : []
  return (
    <div className="list-toolbar">
      <div>
        {seen.map((plan) => {
          const records = recordsOf(plan)
          return (
            <ActionButton
              key={`${plan.on} ${plan.name}`}
              actions={actions}
              action={plan}
              records={records}
              count={plan.on === 'batch' ? records.length : records.length || undefined}
            />
          )
        })}
        {more.length > 0 && (
          <MoreActions plans={more} refusal={actions.refusal} onChoose={(plan) => actions.run(plan, recordsOf(plan))} />
        )}
        {ticked.length > 0 && (
          <span className="list-ticked" role="status">
            {words('selected', { n: ticked.length })}{' '}
            <button type="button" className="action-link" onClick={onClear}>
              {words('clearSelection')}
            </button>
          </span>
        )}
      </div>
      <LookButtons narrow={narrow} {...look} />
    </div>
  )
}

interface Look {
  density: Density
  arranged: ArrangedColumn[]
  planned: ListColumn[]
  onDensity(density: Density): void
  onColumns(choices: ColumnChoice[] | undefined): void
  onRefresh(): void
}

/** The list's appearance: reload, row height, and columns. */
function LookButtons({
  narrow,
  density,
  arranged,
  planned,
  onDensity,
  onColumns,
  onRefresh,
}: Look & { narrow: boolean }) {
  const words = useWords()
  const [arranging, setArranging] = useState(false)
  return (
    <>
      <div>
        <Button
          type="text"
          icon={<ReloadOutlined />}
          aria-label={words('refresh')}
          title={words('refresh')}
          onClick={onRefresh}
        />
        {!narrow && (
          <Dropdown
            trigger={['click']}
            autoFocus
            menu={{
              selectable: true,
              selectedKeys: [density],
              onClick: ({ key }) => onDensity(key as Density),
              items: (Object.keys(rowHeights) as Density[]).map((key) => ({ key, label: words(key) })),
            }}
          >
            <Button
              type="text"
              icon={<ColumnHeightOutlined />}
              aria-label={words('density')}
              title={words('density')}
            />
          </Dropdown>
        )}
        <Button
          type="text"
          icon={<SettingOutlined />}
          aria-label={words('columns')}
          title={words('columns')}
          onClick={() => setArranging(true)}
        />
      </div>
      {arranging && (
        <ColumnsDialog planned={planned} arranged={arranged} onSave={onColumns} onClose={() => setArranging(false)} />
      )}
    </>
  )
}
