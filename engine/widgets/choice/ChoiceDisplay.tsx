import { useEngine } from '../../client/view.ts'
import type { DisplayProps, EngineContext } from '../../client/view.ts'
import type { Choice } from '../../model/model.ts'
import { findChoice } from './choice.ts'
import type { ChoiceOptions } from './choice.ts'
import './choice.css'

/** A value as its label, in the colour of its tag if it has one. */
export function ChoiceTag({
  value,
  options,
  engine,
}: {
  value: string
  options: ChoiceOptions
  engine: EngineContext
}) {
  const choice: Choice | undefined = findChoice(value, options, engine)
  const shown = choice ? engine.text(choice.label) : value
  return (
    <span className={choice?.tag ? `choice-tag choice-tag-${choice.tag}` : undefined} title={shown}>
      {shown}
    </span>
  )
}

export function ChoiceDisplay({ value, field }: DisplayProps<string>) {
  const engine = useEngine()
  return value === null ? null : <ChoiceTag value={value} options={field.options as ChoiceOptions} engine={engine} />
}
