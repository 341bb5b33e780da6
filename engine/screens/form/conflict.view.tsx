import { Button, Modal, Radio } from 'antd'
import { useState } from 'react'
import type { FormModel } from '../../client/form.tsx'
import { WidgetDisplay } from '../../client/formWidget.tsx'
import { useFormWords } from '../../client/formWords.ts'
import { useEngine, useShown } from '../../client/index.ts'
import type { Conflict } from '../../model/model.ts'

type Side = 'theirs' | 'mine'
interface ConflictDialogProps {
  model: FormModel
  conflict: Conflict
  onSettle(theirs: string[]): void
  onCancel(): void
}

/**
 * Shows what someone else saved in the meantime beside the user's input, to choose from field by field, with no
 * default.
 */
export function ConflictDialog({ model, conflict, onSettle, onCancel }: ConflictDialogProps) {
  const { text } = useEngine()
  const words = useFormWords()
  const shown = useShown()
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const names = Object.keys(conflict.fields)
  const all = (side: Side) => setChosen(Object.fromEntries(names.map((name) => [name, side])))
  const option = (name: string, side: Side) => {
    const field = model.entity.fields[name]
    const label = text(field.label)
    return (
      <Radio
        checked={chosen[name] === side}
        name={`conflict-${name}`}
        aria-label={words(side === 'theirs' ? 'keepTheirs' : 'keepMine', { label })}
        onChange={() => setChosen((old) => ({ ...old, [name]: side }))}
      >
        <WidgetDisplay value={side === 'theirs' ? conflict.fields[name].theirs : model.values()[name]} field={field} />
      </Radio>
    )
  }
  return (
    <Modal
      open={shown}
      width={760}
      title={words('conflict')}
      okText={words('saveChosen')}
      cancelText={words('keepEditing')}
      okButtonProps={{ disabled: names.some((name) => !chosen[name]) }}
      onOk={() => onSettle(names.filter((name) => chosen[name] === 'theirs'))}
      onCancel={onCancel}
    >
      <p>{words('conflictBy', { name: conflict.by, time: conflict.at })}</p>
      <div className="form-conflict-all">
        <Button size="small" onClick={() => all('theirs')}>
          {words('allTheirs')}
        </Button>
        <Button size="small" onClick={() => all('mine')}>
          {words('allMine')}
        </Button>
      </div>
      <div className="form-conflict-scroll">
        <table className="form-conflict">
          <thead>
            <tr>
              <th scope="col">{words('field')}</th>
              <th scope="col">{words('theirs')}</th>
              <th scope="col">{words('mine')}</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{text(model.entity.fields[name].label)}</th>
                <td>{option(name, 'theirs')}</td>
                <td>{option(name, 'mine')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  )
}
