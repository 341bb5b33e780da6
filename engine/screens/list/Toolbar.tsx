import { ColumnHeightOutlined, ReloadOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { ActionButton } from '../../client/actions.tsx'
import type { Actions } from '../../client/actions.tsx'
import { useWords } from '../../client/words.ts'
import type { ActionPlan, RecordData } from '../../schema/model.ts'
import { rowHeights } from './columnChoices.ts'
import type { ArrangedColumn, ColumnChoice, Density } from './columnChoices.ts'
import { ColumnsDialog } from './ColumnsDialog.tsx'
import type { ListColumn } from './list.ts'
import { takesTicked } from './useTicks.ts'

interface ToolbarProps {
  plans: ActionPlan[]
  actions: Actions
  ticked: RecordData[]
  onClear(): void
  density: Density
  arranged: ArrangedColumn[]
  planned: ListColumn[]
  onDensity(density: Density): void
  onColumns(choices: ColumnChoice[] | undefined): void
  onRefresh(): void
}

/** What can be done with the list, with the ticked records, and with how it looks. */
export function Toolbar({
  plans,
  actions,
  ticked,
  onClear,
  density,
  arranged,
  planned,
  onDensity,
  onColumns,
  onRefresh,
}: ToolbarProps) {
  const words = useWords()
  const [arranging, setArranging] = useState(false)
  const toolbar = plans.filter(({ on }) => on === 'toolbar').sort((a, b) => Number(b.primary) - Number(a.primary))
  const batch = plans.filter((plan) => plan.on === 'batch' && actions.shown(plan, ticked))
  return (
    <div className="list-toolbar">
      <div>
        {toolbar.map((plan) => {
          const records = takesTicked(plan) ? ticked : []
          return (
            <ActionButton
              key={plan.name}
              actions={actions}
              action={plan}
              records={records}
              count={records.length || undefined}
            />
          )
        })}
        {batch.map((plan) => (
          <ActionButton key={plan.name} actions={actions} action={plan} records={ticked} count={ticked.length} />
        ))}
        {ticked.length > 0 && (
          <span className="list-ticked" role="status">
            {words('selected', { n: ticked.length })}{' '}
            <button type="button" className="action-link" onClick={onClear}>
              {words('clearSelection')}
            </button>
          </span>
        )}
      </div>
      <div>
        <Button
          type="text"
          icon={<ReloadOutlined />}
          aria-label={words('refresh')}
          title={words('refresh')}
          onClick={onRefresh}
        />
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
          <Button type="text" icon={<ColumnHeightOutlined />} aria-label={words('density')} title={words('density')} />
        </Dropdown>
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
    </div>
  )
}
