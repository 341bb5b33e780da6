import { isReadOnly, isRequired, isVisible } from '../expression/verdict.ts'
import { withFormulas } from '../expression/withFormulas.ts'
import type { Field, FieldProblem, Label, RecordData } from '../model/model.ts'
import type { FormModel } from './formModel.ts'
import type { RowsProps } from './formWidget.tsx'

/**
 * What only the engine knows of a sub-table: rows with computed formulas, problems by place, and the state of each cell
 * by the rows' own conditions.
 */
export function rowsProps(
  { context }: FormModel,
  field: Field,
  value: RecordData[] | null,
  problems: readonly FieldProblem[],
  text: (label: Label) => string,
): RowsProps {
  const entity = context.entities[context.widgets[field.type].target!(field.options)!.entity]
  const rows = entity ? (value ?? []).map((row) => withFormulas(entity, row, context)) : []
  return {
    values: rows,
    problems: Object.fromEntries(
      problems
        .filter((problem) => problem.field !== field.name)
        .map((problem) => [problem.field.slice(field.name.length + 1), text(problem.message)]),
    ),
    conditions(row, name) {
      const cell = entity?.fields[name]
      const values = rows[row] ?? {}
      if (!entity || !cell) return { visible: true, readOnly: false, required: false }
      return {
        visible: isVisible(entity, cell, values, context),
        readOnly: isReadOnly(entity, cell, values, context),
        required: isRequired(entity, cell, values, { ...context, old: null }),
      }
    },
  }
}
