import { literalUses } from '../../expression/index.ts'
import { ownEntity, scopeOf } from '../linking/scope.ts'
import { isObject, placesOf, type Place } from '../walk.ts'
import type { ExpandedFile, Names } from '../named.ts'

/**
 * How a field gets values: its formulas, the preset rows, and whether it may get any value (entered or copied); the
 * steps that give it one, and whether anything else does.
 */
export interface Written {
  formulas: string[]
  rows: Set<string>
  takesAnyValue: boolean
  steps: Set<string>
  isSetAtFirst: boolean
}
export interface Writes {
  writesTo(entity: string, field: string): Written
}

const nothing = (): Written => ({
  formulas: [],
  rows: new Set(),
  takesAnyValue: false,
  steps: new Set(),
  isSetAtFirst: false,
})

/** Collects what sets which field: formulas under its name, preset rows, dialogs, copies and imports. */
export function writesOf(files: readonly ExpandedFile[], names: Names): Writes {
  const found = new Map<string, Written>()
  const at = (entity: string | undefined, field: string): Written => {
    const key = `${entity}.${field}`
    const known = found.get(key) ?? nothing()
    found.set(key, known)
    return known
  }
  for (const file of files) {
    if (file.source.kind === 'records') {
      for (const row of Array.isArray(file.value.rows) ? file.value.rows : [])
        for (const [field, cell] of Object.entries(isObject(row) ? row : {}))
          if (typeof cell === 'string') at(String(file.value.entity), field).rows.add(cell)
      continue
    }
    for (const place of placesOf(file.value, file.shape)) {
      const { shape, value } = place
      if (shape.keys === 'field' && isObject(value) && shape.names !== 'filter') {
        const entity = scopeOf(place, file, names)
        for (const [field, given] of Object.entries(value)) {
          if (given !== 'null') noteStep(at(entity, field), place)
          if (typeof given === 'string' && isFormula(shape)) at(entity, field).formulas.push(given)
          else at(entity, field).takesAnyValue = true
        }
      }
      if (shape.names === 'field' && typeof value === 'string' && takesValue(place, file)) {
        const written = at(scopeOf(place, file, names) ?? ownEntity(file), value)
        written.takesAnyValue = true
        noteStep(written, place)
      }
    }
  }
  return { writesTo: (entity, field) => found.get(`${entity}.${field}`) ?? nothing() }
}

/** Notes the step of a record that sets the field, if a step does. */
function noteStep(written: Written, place: Place): void {
  const step = stepOf(place)
  if (step === undefined) written.isSetAtFirst = true
  else written.steps.add(step)
}

/** The transition, action or later save that a place is in, unless it adds another record there. */
function stepOf(place: Place): string | undefined {
  for (let around: Place | undefined = place; around; around = around.parent) {
    const { key, parent } = around
    if (key === 'append' || key === 'create') return undefined
    if (parent?.key === 'transitions' || parent?.key === 'actions') return `"${key}"`
    if (parent?.key === 'saves' && isObject(around.value) && around.value.on !== 'create') return 'a later save'
  }
  return undefined
}

const isFormula = ({ additionalProperties }: Place['shape']) =>
  typeof additionalProperties === 'object' && additionalProperties.names === 'formula'

/** Keys of an entity or import under which fields get values from a user or another record. */
const valueKeys = new Set(['form', 'update', 'copies', 'given', 'count'])
function takesValue(place: Place, { source, value }: ExpandedFile): boolean {
  if (place.key === 'count') return true
  for (let around: Place | undefined = place; around; around = around.parent) {
    if (around.key === 'computed') return false
    if (valueKeys.has(around.key)) return true
    if (around.key === 'columns') return source.kind !== 'entity' && typeof value.into === 'string'
    if (around.key === 'fields' && around.parent?.key !== 'copies') return false
  }
  return false
}

/** The texts that a formula can return; undefined if it may return any. */
export function textsOf(formula: string): string[] | undefined {
  const texts = literalUses(formula).flatMap(({ text, path }) => (path.length ? [] : [text]))
  return texts.length ? texts : undefined
}
