import { fieldText } from '../../client/fieldText.ts'
import { useEngine } from '../../client/view.ts'
import type { MeasurePlan, Value } from '../../model/model.ts'

/** Figures over all matching records; the previous ones stay until the new ones arrive. */
export function Summary({
  measures,
  told,
  stale,
}: {
  measures: MeasurePlan[]
  told: Record<string, Value> | undefined
  stale: boolean
}) {
  const engine = useEngine()
  return (
    <dl className="list-summary" aria-busy={told === undefined || stale}>
      {measures.map(({ name, field }) => (
        <div key={name}>
          <dt>{engine.text(field.label)}</dt>
          <dd>{told ? fieldText(told[name] ?? null, field, engine) : ' '}</dd>
        </div>
      ))}
    </dl>
  )
}
