import { namesIn } from '../../model/fillText.ts'
import { scopeOf } from '../linking/scope.ts'
import { isObject, placesOf, type Place } from '../walk.ts'
import { actsOf } from './prompts.ts'
import { isBrought, type Whole } from './checkContext.ts'
import type { NamedEntity, Names } from '../named.ts'

/** Warns about dialogs over records whose amounts are added up somewhere that show none of them. */
export function checkAmounts({ files, names, warn }: Whole): void {
  const offered = offeredOnRecords({ files, names })
  const summed = summedIn({ files, names })
  for (const entity of Object.values(names.entities)) {
    const { name, source, value, fields } = entity
    const amounts = Object.values(fields).filter(
      ({ name: field, type }) => names.widgets[type]?.isAmount && summed.has(`${name}.${field}`),
    )
    const facts = Array.isArray(value.facts) ? value.facts.map(String) : []
    if (amounts.length === 0 || isBrought(source) || facts.some((fact) => showsAmount(fact, entity, names))) continue
    const deletes = !isObject(value.allow) || value.allow.delete !== false
    const silent = [...actsOf(value), ...(deletes ? [['delete', { confirm: {} }] as const] : [])]
      .filter(([act, written]) => offered.has(`${name}.${act}`) && opensDialog(written))
      .filter(([, written]) => !mentioned(written).some((field) => showsAmount(field, entity, names)))
      .map(([act]) => `"${act}"`)
    if (silent.length === 0) continue
    const at = facts.length > 0 ? '/facts' : '/display'
    warn(source, at, 'hidden-amount', { acts: silent.join(', '), entity: name, found: amounts[0].name }, { key: true })
  }
}

/** `entity.act` of every act that a screen offers on records. */
function offeredOnRecords({ files, names }: Pick<Whole, 'files' | 'names'>): ReadonlySet<string> {
  const isOfList = ({ parent }: Place) => isObject(parent?.value) && parent.value.on === 'toolbar'
  return new Set(
    files.flatMap((file) =>
      placesOf(file.value, file.shape)
        .filter((place) => ['action', 'transition'].includes(place.shape.names ?? '') && !isOfList(place))
        .map((place) => `${scopeOf(place, file, names)}.${String(place.value)}`),
    ),
  )
}

/** `entity.field` of every column that is added up. */
const summedIn = ({ files, names }: Pick<Whole, 'files' | 'names'>): ReadonlySet<string> =>
  new Set(
    files.flatMap((file) =>
      placesOf(file.value, file.shape).flatMap((place) =>
        isObject(place.value) && place.value.sum === true
          ? [`${scopeOf(place, file, names)}.${String(place.value.field)}`]
          : [],
      ),
    ),
  )

/** Whether it opens a dialog that says nothing of what would follow. */
const opensDialog = ({ form, confirm, foresee, update }: Record<string, unknown>): boolean =>
  !foresee && (confirm !== undefined || [form, update].some((each) => Array.isArray(each) && each.length > 0))

/** The fields that a dialog asks for or names in its question. */
function mentioned({ form, update, confirm }: Record<string, unknown>): string[] {
  const prompted = [form, update].flatMap((each): unknown[] => (Array.isArray(each) ? each : []))
  const texts = isObject(confirm) ? Object.values(confirm).map(String) : []
  return [...prompted.map((each) => String(isObject(each) ? each.field : each)), ...texts.flatMap(namesIn)]
}

/** An amount, or rows with one. */
function showsAmount(field: string, { fields }: NamedEntity, { widgets, entities }: Names): boolean {
  if (fields[field] === undefined) return false
  const { type, options } = fields[field]
  const target = widgets[type]?.target?.(options)
  const rows = target?.rows ? entities[target.entity] : undefined
  return rows
    ? Object.values(rows.fields).some((inner) => widgets[inner.type]?.isAmount)
    : (widgets[type]?.isAmount ?? false)
}
