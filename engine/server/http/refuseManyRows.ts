import type { Entity, FieldProblem } from '../../model/model.ts'
import { fill, invalid, problems, unknownField } from '../errors.ts'
import { isRecord } from '../records/reading/canonical.ts'
import { widgetContext } from '../records/reading/words.ts'
import type { Context } from '../runtime.ts'

/**
 * Refuses more rows than a field takes before anything else is done with them: the rules of a record may compare each
 * row with all others, and nobody would be answered meanwhile. Refuses many times more fields than there are, too.
 * @throws Refusal invalid.
 */
export function refuseManyRows(context: Context, entity: Entity, values: unknown): void {
  const found = [...tooMany(context, entity, values)]
  if (found.length > 0) throw invalid(found)
}

/** All rows of a record together, those within rows included. */
const mostRows = 3000

function* tooMany(
  context: Context,
  entity: Entity,
  values: unknown,
  path = '',
  counted = { rows: 0 },
): Generator<FieldProblem> {
  if (!isRecord(values)) return
  const names = Object.keys(values)
  if (names.length > 2 * Object.keys(entity.fields).length + 20) {
    const other = names.find((name) => !Object.hasOwn(entity.fields, name))!
    yield { ...unknownField(other), field: `${path}${other}` }
    return
  }
  for (const [name, rows] of Object.entries(values)) {
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
    const target = field && context.derived.target(field)
    if (!field || !target?.rows || !Array.isArray(rows)) continue
    const at = `${path}${name}`
    if (rows.length <= target.rows.max) {
      const before = counted.rows
      counted.rows += rows.length
      if (before <= mostRows && counted.rows > mostRows)
        yield { field: at, code: 'max', message: fill(problems.rows, { max: mostRows }) }
      for (const [index, row] of rows.entries()) yield* tooMany(context, target.entity, row, `${at}.${index}.`, counted)
      continue
    }
    const problem = context.derived.widget(field).check(rows, field.options, widgetContext(context, field))
    if (problem) yield { field: at, ...problem }
  }
}
