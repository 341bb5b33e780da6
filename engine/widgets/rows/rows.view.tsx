import { Button } from 'antd'
import { Fragment, useState } from 'react'
import type { RowsProps } from '../../client/formWidget.tsx'
import { useViews } from '../../client/useViews.ts'
import { useEngine } from '../../client/view.ts'
import type { DisplayProps, EditProps, WidgetView } from '../../client/view.ts'
import type { Field, Label, Value } from '../../model/model.ts'
import { EditCell, ShowCell } from './cell.view.tsx'
import { checkCell } from './rows.ts'
import type { Row, RowsOptions } from './rows.ts'
import './rows.css'

/**
 * Without what the engine adds, a cell's own widget says what is wrong with it once it was left, and its field's flags
 * hold.
 */
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
  return options.columns.flatMap((name) => fields[name] ?? [])
}

/** Keys that stay with their rows while these are moved and removed: a row that is not saved yet has no id. */
function useKeys(length: number) {
  const [keys, setKeys] = useState<readonly number[]>(() => resized([], length))
  const current = keys.length === length ? keys : resized(keys, length)
  if (current !== keys) setKeys(current)
  return [current, setKeys] as const
}
let lastKey = 0
const resized = (keys: readonly number[], length: number): readonly number[] => [
  ...keys.slice(0, length),
  ...Array.from({ length: Math.max(0, length - keys.length) }, () => ++lastKey),
]

function RowsEdit({
  id,
  value,
  onChange,
  onBlur,
  field,
  disabled,
  invalid,
  describedBy,
  label,
  values,
  problems,
  conditions,
}: RowsEditProps) {
  const engine = useEngine()
  const options = field.options as RowsOptions
  const columns = useColumns(options)
  const views = useViews(columns.map((column) => column.type))
  const rows = value ?? []
  const [keys, setKeys] = useKeys(rows.length)
  /** Cells that were left once: `key.field`. */
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const rowName = (index: number) => engine.text(texts.row).replace('{n}', String(index + 1))

  const set = (next: Row[]) => onChange(next.length > 0 ? next : null)
  const change = (index: number, name: string, cell: Value) =>
    set(rows.map((row, at) => (at === index ? { ...row, [name]: cell } : row)))
  const add = () =>
    set([
      ...rows,
      {
        ...Object.fromEntries(columns.map((column) => [column.name, column.default ?? null])),
        ...(options.where as Row),
      },
    ])
  const remove = (index: number) => {
    setKeys(keys.filter((_, at) => at !== index))
    set(rows.filter((_, at) => at !== index))
    onBlur?.()
  }
  const move = (index: number, by: 1 | -1) => {
    const swapped = <T,>(list: readonly T[]) =>
      list.map((entry, at) => (at === index ? list[index + by] : at === index + by ? list[index] : entry))
    setKeys(swapped(keys))
    set(swapped(rows))
  }
  const problemOf = (index: number, column: Field): string | undefined => {
    const given = problems?.[`${index}.${column.name}`]
    if (problems || !left.has(`${keys[index]}.${column.name}`)) return given
    const found = checkCell(rows[index][column.name] ?? null, column, engine, engine.widgets)
    return found && engine.text(found.message)
  }
  const cell = (index: number, column: Field) => {
    const state = conditions?.(index, column.name) ?? {
      visible: true,
      readOnly: column.readOnly,
      required: column.required,
    }
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

  const isShown = (index: number, { name }: Field) => conditions?.(index, name).visible ?? true
  const handled = !disabled && !options.fixed
  // What no row asks for takes no place.
  const asked = columns.filter((column) => rows.length === 0 || rows.some((_, index) => isShown(index, column)))
  const narrow = asked.filter((column) => !views[column.type]?.wide)
  const wide = asked.filter((column) => views[column.type]?.wide)
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
                  <td key={column.name}>{cell(index, column)}</td>
                ))}
                {handled && (
                  <td className="rows-actions">
                    <Button
                      type="link"
                      size="small"
                      disabled={index === 0}
                      aria-label={`${engine.text(texts.up)} ${rowName(index)}`}
                      onClick={() => move(index, -1)}
                    >
                      {engine.text(texts.up)}
                    </Button>
                    <Button
                      type="link"
                      size="small"
                      disabled={index === rows.length - 1}
                      aria-label={`${engine.text(texts.down)} ${rowName(index)}`}
                      onClick={() => move(index, 1)}
                    >
                      {engine.text(texts.down)}
                    </Button>
                    <Button
                      type="link"
                      size="small"
                      danger
                      aria-label={`${engine.text(texts.remove)} ${rowName(index)}`}
                      onClick={() => remove(index)}
                    >
                      {engine.text(texts.remove)}
                    </Button>
                  </td>
                )}
              </tr>
              {wide
                .filter((column) => isShown(index, column))
                .map((column) => (
                  <tr key={column.name}>
                    <td />
                    <td colSpan={narrow.length + 1}>
                      <div className="rows-wide-label">{engine.text(column.label)}</div>
                      {cell(index, column)}
                    </td>
                  </tr>
                ))}
            </Fragment>
          ))}
          {rows.length === 0 && (
            <tr>
              <td className="rows-empty" colSpan={narrow.length + 2}>
                <span>{engine.text(texts.empty)}</span>
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {handled && (
        <Button
          id={id}
          type="dashed"
          block
          onClick={add}
          disabled={options.max !== undefined && rows.length >= options.max}
          aria-label={`${engine.text(texts.add)} ${label}`}
        >
          {engine.text(texts.add)}
        </Button>
      )}
    </div>
  )
}

/** The problems of rows within a row, placed as these see them. */
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
  /** The required ones are. */ marked: boolean
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
  const { text } = useEngine()
  const rows = value ?? []
  const isKept = ({ name, visibleWhen }: Field) =>
    visibleWhen === undefined || rows.some((row) => (row[name] ?? null) !== null)
  const columns = useColumns(field.options as RowsOptions).filter(isKept)
  return (
    <div className="rows">
      <table className="rows-table" aria-label={label}>
        <Head columns={columns} marked={false} actions={false} />
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{index + 1}</th>
              {columns.map((column) => (
                <td key={column.name}>
                  <ShowCell value={row[column.name] ?? null} field={column} />
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td className="rows-empty" colSpan={columns.length + 1}>
                <span>{text(texts.empty)}</span>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

export const rowsView: WidgetView = { Edit: RowsEdit, Display: RowsDisplay, wide: true }
