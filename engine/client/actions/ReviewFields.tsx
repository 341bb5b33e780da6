import type { EntityPlan, RecordData } from '../../model/model.ts'
import { FieldDisplay } from '../FieldDisplay.tsx'
import { useViews } from '../useViews.ts'
import { useEngine } from '../view.ts'

/** The fields that a review shows. */
export function ReviewFields({ entity, names, record }: { entity: EntityPlan; names: string[]; record: RecordData }) {
  const { text, widgets } = useEngine()
  const fields = names.map((name) => entity.fields[name]).filter((field) => field !== undefined)
  const views = useViews(fields.map(({ type }) => type))
  return (
    <dl>
      {fields.map((field) => {
        const value = record[field.name]
        // A comparison without changes would be an empty line.
        if (
          widgets[field.type].changes?.(field.options) &&
          (value === null || (Array.isArray(value) && value.length === 0))
        )
          return null
        return (
          <div key={field.name} className={views[field.type]?.wide ? 'review-wide' : undefined}>
            <dt>{text(field.label)}</dt>
            <dd>
              <FieldDisplay value={value} field={field} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
