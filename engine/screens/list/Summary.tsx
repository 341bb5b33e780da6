import { fieldText } from '../../client/fieldText.ts'
import { useEngine } from '../../client/view.ts'
import type { MeasurePlan, Value } from '../../model/model.ts'

/** Figures over all matching records; the previous ones stay until the new ones arrive. */
export function Summary({
  measures,
  values,
  stale,
}: {
  measures: MeasurePlan[]
  values: Record<string, Value> | undefined
  stale: boolean
}) {
  const engine = useEngine()
  return (
    <dl className="list-summary" aria-busy={values === undefined || stale}>
      {measures.map(({ name, field }) => (
        <div key={name}>
          <dt>{engine.text(field.label)}</dt>
          <dd>{values ? fieldText(values[name] ?? null, field, engine) : ' '}</dd>
        </div>
      ))}
    </dl>
  )
}
