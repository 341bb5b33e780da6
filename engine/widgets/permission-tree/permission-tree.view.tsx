import { useEngine } from '../../client/view.ts'
import type { DisplayProps, EditProps, WidgetView } from '../../client/view.ts'
import { declaredPermissions, pathSeparator } from '../../model/model.ts'
import { colon, comma, textIn } from '../../model/language.ts'
import type { Choice } from '../../model/model.ts'
import { grantedBy, keepTicked } from './permission-tree.ts'
import './permission-tree.css'

interface Group {
  name: string
  choices: Choice[]
}

/** Grouped by the first parts of their paths: areas, and the entities of each. */
function grouped(choices: readonly Choice[], depth: number, language: string): Group[] {
  const groups = new Map<string, Choice[]>()
  for (const choice of choices) {
    const name = textIn(choice.label, language).split(pathSeparator)[depth]
    groups.set(name, [...(groups.get(name) ?? []), choice])
  }
  return [...groups].map(([name, members]) => ({ name, choices: members }))
}

/** A checkbox for each permission, and parent ones for each entity and area, which reflect those below. */
function Edit({ id, value, onChange, onBlur, label, disabled, invalid, describedBy }: EditProps<string[]>) {
  const { dictionary, language } = useEngine()
  const { choices } = dictionary(declaredPermissions)
  const given = Array.isArray(value) ? value : []
  const ticked = new Set(grantedBy(given, choices).map((choice) => choice.value))
  const box = (members: readonly Choice[], name: string, shown: string) => {
    const count = members.filter((choice) => ticked.has(choice.value)).length
    return (
      <label>
        <input
          type="checkbox"
          aria-label={name}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          disabled={disabled}
          checked={count === members.length}
          onBlur={onBlur}
          ref={(input) => {
            if (input) input.indeterminate = count > 0 && count < members.length
          }}
          onChange={({ target }) => {
            const next = new Set(ticked)
            for (const choice of members) {
              if (target.checked) next.add(choice.value)
              else next.delete(choice.value)
            }
            onChange(keepTicked(given, next, choices))
          }}
        />
        {shown}
      </label>
    )
  }
  return (
    <div id={id} role="group" aria-label={label} className="permissions" data-invalid={invalid || undefined}>
      {grouped(choices, 0, language).map((area) => (
        <fieldset key={area.name}>
          <legend>{box(area.choices, area.name, area.name)}</legend>
          {grouped(area.choices, 1, language).map((entity) => (
            <div key={entity.name} className="permissions-entity">
              {box(entity.choices, `${area.name}${pathSeparator}${entity.name}`, entity.name)}
              <div>
                {entity.choices.map((choice) => (
                  <span key={choice.value}>
                    {box(
                      [choice],
                      textIn(choice.label, language),
                      textIn(choice.label, language).split(pathSeparator).at(-1)!,
                    )}
                  </span>
                ))}
              </div>
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  )
}

function Display({ value }: DisplayProps<string[]>) {
  const { dictionary, language } = useEngine()
  return (
    <ul className="permissions-read">
      {grouped(grantedBy(value ?? [], dictionary(declaredPermissions).choices), 1, language).map(
        ({ name, choices }) => (
          <li key={name}>
            {name}
            {textIn(colon, language)}
            {choices
              .map(({ label }) => textIn(label, language).split(pathSeparator).at(-1))
              .join(textIn(comma, language))}
          </li>
        ),
      )}
    </ul>
  )
}

export const permissionTreeView: WidgetView = { Edit, Display, wide: true }
