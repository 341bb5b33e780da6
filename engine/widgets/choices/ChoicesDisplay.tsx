import { useEngine } from '../../client/view.ts'
import type { DisplayProps } from '../../client/view.ts'
import { ChoiceTag } from '../choice/ChoiceDisplay.tsx'
import type { ChoiceOptions } from '../choice/choice.ts'
import { choices } from './choices.ts'

export function ChoicesDisplay({ value, field }: DisplayProps<string[]>) {
  const engine = useEngine()
  const options = field.options as ChoiceOptions
  if (!value) return null
  // Without colours of their own, several labels would run into one another.
  const tagged = engine.dictionary(options.choices).choices.some((choice) => choice.tag)
  if (!tagged) {
    const text = choices.text(value, options, { ...engine, label: field.label }, engine.language)
    return <span title={text}>{text}</span>
  }
  return (
    <>
      {value.map((entry) => (
        <ChoiceTag key={entry} value={entry} options={options} engine={engine} />
      ))}
    </>
  )
}
