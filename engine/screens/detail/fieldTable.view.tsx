import { WidgetDisplay } from '../../client/formWidget.tsx'
import { ScreenFailure, ScreenSkeleton, useEngine, useWords } from '../../client/index.ts'
import { useList } from '../../client/records.ts'
import { ScrollBox } from '../../client/ScrollBox.tsx'
import { pathOf } from '../../model/model.ts'
import type { EntityPlan, Label, RecordData } from '../../model/model.ts'
import type { DetailTab } from './detail.ts'

/** Fields of the record side by side, figures below figures. */
export function FieldTable({
  label,
  table,
  entity,
  record,
}: {
  label: Label
  table: NonNullable<DetailTab['table']>
  entity: EntityPlan
  record: RecordData
}) {
  const { text, widgets } = useEngine()
  return (
    <ScrollBox className="detail-table" label={text(label)}>
      <table aria-label={text(label)}>
        <thead>
          <tr>
            <td />
            {table.columns.map((column, index) => (
              <th key={index} scope="col">
                {text(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row.fields.join()}>
              <th scope="row">{text(row.label)}</th>
              {row.fields
                .flatMap((name) => entity.fields[name] ?? [])
                .map((field) => (
                  <td key={field.name} data-align={widgets[field.type].align}>
                    <WidgetDisplay value={record[field.name]} field={field} />
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

interface RelatedFieldTableProps {
  label: Label
  table: NonNullable<DetailTab['table']>
  by: string
  entity: EntityPlan
  id: number
  version: number
}

/** The same for the newest record that refers to this one. */
export function RelatedFieldTable({ label, table, by, entity, id, version }: RelatedFieldTableProps) {
  const words = useWords()
  const { data, error, refetch } = useList(
    pathOf(entity.endpoint, 'list'),
    { filters: { [by]: { equals: id } }, sort: '-id', page: 1, size: 1 },
    { version },
  )
  if (error && !data) return <ScreenFailure title={words('screenFailed')} error={error} retry={() => void refetch()} />
  if (!data) return <ScreenSkeleton />
  const [record] = data.list
  return record ? (
    <FieldTable label={label} table={table} entity={entity} record={record} />
  ) : (
    <p className="detail-history-empty">{words('noRecords')}</p>
  )
}
