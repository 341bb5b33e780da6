import { Button } from 'antd'
import { Fragment, useState } from 'react'
import type { ReactNode } from 'react'
import type { RowsProps } from '../../client/formWidget.tsx'
import { pressable } from '../../client/pressable.ts'
import { ScrollBox } from '../../client/ScrollBox.tsx'
import { useViews } from '../../client/useViews.ts'
import { useEngine } from '../../client/view.ts'
import type { DisplayProps, EditProps, WidgetView } from '../../client/view.ts'
import { fieldInRows, type ByType, type Field, type Label } from '../../model/model.ts'
import { EditCell, ShowCell } from './cell.view.tsx'
import { checkCell } from './rows.ts'
import type { Row, RowsOptions } from './rows.ts'
import { useRows } from './useRows.ts'
import './rows.css'

/** Without the engine's props, only a cell's own widget checks it, once it was left, and its field's flags apply. */
type RowsEditProps = EditProps<Row[]> & RowsProps

const texts = {
  number: { cn: '序号', en: 'No.' },
  actions: { cn: '操作', en: 'Actions' },
  row: { cn: '第{n}行', en: 'Row {n}' },
  add: { cn: '添加一行', en: 'Add a row' },
  remove: { cn: '删除', en: 'Remove' },
  up: { cn: '上移', en: 'Move up' },
  down: { cn: '下移', en: 'Move down' },
  empty: { cn: '暂无数据', en: 'No rows' },
} satisfies Record<string, Label>

function useColumns(options: RowsOptions): Field[] {
  const fields = useEngine().entity(options.entity)?.fields ?? {}
  // A field that the user may not see is not in the plan.
  return options.columns.flatMap((name) => (fields[name] ? fieldInRows(fields[name], options.byType as ByType) : []))
}

function RowsEdit(props: RowsEditProps) {
  const { id, value, onChange, onBlur, field, disabled, invalid, describedBy, label, conditions } = props
  const { text } = useEngine()
  const options = field.options as RowsOptions
  const columns = useColumns(options)
  const views = useViews(columns.map((column) => column.type))
  const { rows, keys, change, add, remove, move } = useRows({ value, columns, options, onChange, onBlur })
  const cell = useCells(props, { rows, keys, change })

  const isShown = (index: number, { name }: Field) => conditions?.(index, name).visible ?? true
  const handled = !disabled && !options.fixed
  // Columns that no row shows are hidden.
  const shownColumns = columns.filter((column) => rows.length === 0 || rows.some((_, index) => isShown(index, column)))
  const narrow = shownColumns.filter((column) => !views[column.type]?.wide)
  const wide = shownColumns.filter((column) => views[column.type]?.wide)
  return (
    <div
      id={options.fixed ? id : undefined}
      tabIndex={options.fixed ? -1 : undefined}
      className="rows"
      role="group"
      aria-label={label}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
    >
      <table className="rows-table">
        <Head columns={narrow} marked={!disabled} actions={handled} />
        <tbody>
          {rows.map((_, index) => (
            <Fragment key={keys[index]}>
              <tr>
                <th scope="row">{index + 1}</th>
                {narrow.map((column) => (
                  <td key={column.name} data-label={text(column.label)} data-required={column.required || undefined}>
                    {cell(index, column)}
                  </td>
                ))}
                {handled && <RowButtons index={index} count={rows.length} onMove={move} onRemove={remove} />}
              </tr>
              {wide
                .filter((column) => isShown(index, column))
                .map((column) => (
                  <tr key={column.name}>
                    <td />
                    <td colSpan={narrow.length + 1}>
                      <div className="rows-wide-label">{text(column.label)}</div>
                      {cell(index, column)}
                    </td>
                  </tr>
                ))}
            </Fragment>
          ))}
          {rows.length === 0 && <NoRows span={narrow.length + 2} />}
        </tbody>
      </table>
      {handled && (
        <Button
          id={id}
          type="dashed"
          block
          {...pressable(rows.length < options.max, add)}
          aria-label={`${text(texts.add)} ${label}`}
        >
          {text(texts.add)}
        </Button>
      )}
    </div>
  )
}

function useRowName() {
  const { text } = useEngine()
  return (index: number) => text(texts.row).replace('{n}', String(index + 1))
}

type Rows = Pick<ReturnType<typeof useRows>, 'rows' | 'keys' | 'change'>

/** @returns a renderer of cells: the control, or the value if it is read-only */
function useCells(
  { id, disabled, onBlur, values, problems, conditions }: RowsEditProps,
  { rows, keys, change }: Rows,
): (index: number, column: Field) => ReactNode {
  const engine = useEngine()
  const rowName = useRowName()
  /** Cells that were left once: `key.field`. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const problemOf = (index: number, column: Field): string | undefined => {
    const given = problems?.[`${index}.${column.name}`]
    if (problems || !left.has(`${keys[index]}.${column.name}`)) return given
    const found = checkCell(rows[index][column.name] ?? null, column, engine, engine.widgets)
    return found && engine.text(found.message)
  }
  return (index, column) => {
    const { readOnly, required } = column
    const state = conditions?.(index, column.name) ?? { visible: true, readOnly, required }
    if (!state.visible) return null
    const current = rows[index][column.name] ?? null
    if (column.computed) return <ShowCell value={values?.[index]?.[column.name] ?? current} field={column} />
    if (state.readOnly) return <ShowCell value={current} field={column} />
    return (
      <EditCell
        id={`${id}-${keys[index]}-${column.name}`}
        name={`${rowName(index)} ${engine.text(column.label)}`}
        value={current}
        field={column}
        disabled={disabled}
        required={state.required}
        problem={problemOf(index, column)}
        problems={under(problems, `${index}.${column.name}.`)}
        onChange={(next) => change(index, column.name, next)}
        onBlur={() => {
          setLeft((old) => new Set(old).add(`${keys[index]}.${column.name}`))
          onBlur?.()
        }}
      />
    )
  }
}

interface RowButtonsProps {
  index: number
  /** Over all rows. */
  count: number
  onMove(index: number, by: 1 | -1): void
  onRemove(index: number): void
}

function RowButtons({ index, count, onMove, onRemove }: RowButtonsProps) {
  const { text } = useEngine()
  const name = useRowName()(index)
  const buttons = [
    { label: texts.up, isPossible: index > 0, act: () => onMove(index, -1) },
    { label: texts.down, isPossible: index < count - 1, act: () => onMove(index, 1) },
    { label: texts.remove, danger: true, act: () => onRemove(index) },
  ]
  return (
    <td className="rows-actions">
      {buttons.map(({ label, isPossible = true, act, ...look }, place) => (
        <Button
          key={place}
          type="link"
          size="small"
          {...look}
          aria-label={`${text(label)} ${name}`}
          {...pressable(isPossible, act)}
        >
          {text(label)}
        </Button>
      ))}
    </td>
  )
}

function NoRows({ span }: { span: number }) {
  const { text } = useEngine()
  return (
    <tr>
      <td className="rows-empty" colSpan={span}>
        <span>{text(texts.empty)}</span>
      </td>
    </tr>
  )
}

/** The problems of rows within a row, with places relative to it. */
function under(problems: Record<string, string> | undefined, prefix: string): Record<string, string> | undefined {
  const inner = Object.entries(problems ?? {}).filter(([place]) => place.startsWith(prefix))
  return inner.length > 0
    ? Object.fromEntries(inner.map(([place, text]) => [place.slice(prefix.length), text]))
    : undefined
}

function Head({
  columns,
  marked,
  actions,
}: {
  columns: Field[]
  /** Marks required ones. */ marked: boolean
  actions: boolean
}) {
  const { text } = useEngine()
  return (
    <thead>
      <tr>
        <th scope="col">{text(texts.number)}</th>
        {columns.map((column) => (
          <th key={column.name} scope="col" className={marked && column.required ? 'rows-required' : undefined}>
            {text(column.label)}
          </th>
        ))}
        {actions && <th scope="col">{text(texts.actions)}</th>}
      </tr>
    </thead>
  )
}

function RowsDisplay({ value, field, label }: DisplayProps<Row[]>) {
  const rows = value ?? []
  const { text } = useEngine()
  const isKept = ({ name, visibleWhen }: Field) =>
    visibleWhen === undefined || rows.some((row) => (row[name] ?? null) !== null)
  const columns = useColumns(field.options as RowsOptions).filter(isKept)
  return (
    <ScrollBox className="rows" label={label}>
      <table className="rows-table rows-reading" aria-label={label}>
        <Head columns={columns} marked={false} actions={false} />
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{index + 1}</th>
              {columns.map((column) => (
                <td key={column.name} data-label={text(column.label)}>
                  <ShowCell value={row[column.name] ?? null} field={column} />
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && <NoRows span={columns.length + 1} />}
        </tbody>
      </table>
    </ScrollBox>
  )
}

export const rowsView: WidgetView = { Edit: RowsEdit, Display: RowsDisplay, wide: true }
