import { Button } from 'antd'
import { Modal } from '../../client/overlays.tsx'
import { useState } from 'react'
import { useShown } from '../../client/frame.ts'
import { pressable } from '../../client/pressable.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import { arrangeColumns, choicesOf, limitWidth, widthLimits } from './columnChoices.ts'
import type { ArrangedColumn, ColumnChoice, Pin } from './columnChoices.ts'
import type { ListColumn } from './list.ts'

interface ColumnsDialogProps {
  /** The columns of the schema file. */
  planned: ListColumn[]
  arranged: ArrangedColumn[]
  /** Undefined restores the columns of the schema file. */
  onSave(choices: ColumnChoice[] | undefined): void
  onClose(): void
}

/** Which columns are shown, their order, pinning and widths. */
export function ColumnsDialog({ planned, arranged, onSave, onClose }: ColumnsDialogProps) {
  const words = useWords()
  const [open, setOpen] = useState(true)
  const shown = useShown()
  const [columns, setColumns] = useState(arranged)
  const [restored, setRestored] = useState(false)

  const change = (field: string, part: Partial<ArrangedColumn>) => {
    setRestored(false)
    setColumns((all) => all.map((column) => (column.field === field ? { ...column, ...part } : column)))
  }
  const move = (index: number, by: number) => {
    setRestored(false)
    setColumns((all) => {
      const moved = [...all]
      moved.splice(index + by, 0, ...moved.splice(index, 1))
      return moved
    })
  }
  const save = () => {
    onSave(restored ? undefined : choicesOf(columns))
    setOpen(false)
  }
  return (
    <Modal
      open={open && shown}
      title={words('columns')}
      width={640}
      onCancel={() => setOpen(false)}
      afterClose={() => {
        if (!open) onClose()
      }}
      footer={
        <>
          <Button
            onClick={() => {
              setColumns(arrangeColumns(planned, undefined))
              setRestored(true)
            }}
          >
            {words('restoreColumns')}
          </Button>
          <Button onClick={() => setOpen(false)}>{words('cancel')}</Button>
          <Button type="primary" disabled={columns.every(({ hidden }) => hidden)} onClick={save}>
            {words('ok')}
          </Button>
        </>
      }
    >
      <div className="columns-dialog" role="region" aria-label={words('columns')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {(['column', 'order', 'pin', 'width'] as const).map((key) => (
                <th key={key} scope="col">
                  {words(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column, index) => (
              <ColumnRow
                key={column.field}
                column={column}
                isFirst={index === 0}
                isLast={index === columns.length - 1}
                onChange={(part) => change(column.field, part)}
                onMove={(by) => move(index, by)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  )
}

interface ColumnRowProps {
  column: ArrangedColumn
  isFirst: boolean
  isLast: boolean
  onChange(part: Partial<ArrangedColumn>): void
  onMove(by: number): void
}

function ColumnRow({ column, isFirst, isLast, onChange, onMove }: ColumnRowProps) {
  const words = useWords()
  const { text } = useEngine()
  const label = text(column.label)
  return (
    <tr>
      <td>
        <label>
          <input
            type="checkbox"
            checked={!column.hidden}
            onChange={(event) => onChange({ hidden: !event.target.checked })}
          />{' '}
          {label}
        </label>
      </td>
      <td>
        <button type="button" aria-label={words('moveUp', { label })} {...pressable(!isFirst, () => onMove(-1))}>
          ↑
        </button>
        <button type="button" aria-label={words('moveDown', { label })} {...pressable(!isLast, () => onMove(1))}>
          ↓
        </button>
      </td>
      <td>
        <select
          aria-label={words('pinColumn', { label })}
          value={column.pin}
          onChange={(event) => onChange({ pin: event.target.value as Pin })}
        >
          <option value="none">{words('unpinned')}</option>
          <option value="left">{words('pinLeft')}</option>
          <option value="right">{words('pinRight')}</option>
        </select>
      </td>
      <td>
        <WidthInput
          label={words('widthOf', { label })}
          width={column.width}
          onChange={(width) => onChange({ width, sized: true })}
        />
      </td>
    </tr>
  )
}

/** Applies the width when the user leaves the input, because a half-typed number is not a width yet. */
function WidthInput({ label, width, onChange }: { label: string; width: number; onChange(width: number): void }) {
  const [typed, setTyped] = useState<string>()
  return (
    <input
      type="number"
      aria-label={label}
      min={widthLimits.minimum}
      max={widthLimits.maximum}
      value={typed ?? Math.round(width)}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (typed !== undefined && typed !== '' && Number.isFinite(Number(typed))) onChange(limitWidth(Number(typed)))
        setTyped(undefined)
      }}
    />
  )
}
