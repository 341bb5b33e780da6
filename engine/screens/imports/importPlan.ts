import { batchEntityOf, givenField, filterValues, rowEntityOf } from '../../model/model.ts'
import type { AssembleScope, Entity, ImportColumn, ImportPlan } from '../../model/model.ts'
import { arranged } from './arranged.ts'
import type { ImportsFile } from './importsShape.ts'

/** The address that shows the rows of a batch. */
export function detailsOf(file: ImportsFile, name: string, scope: AssembleScope): string | undefined {
  const route = scope.screensOf(rowEntityOf(name), 'importDetail')[0]?.route
  return file.details ?? (route === undefined ? undefined : `${route}?batchId={id}`)
}

/** The columns of a file's template, in order. */
export const columnsOf = (
  { columns, without }: Pick<ImportsFile, 'columns' | 'without'>,
  entity: Entity | undefined,
): ImportsFile['columns'] => arranged(columns, without, ({ field }) => entity?.fields[field]?.label)

/** What the server and the upload need of the file. */
export function importPlan(
  file: ImportsFile & { title: ImportPlan['title'] },
  name: string,
  scope: AssembleScope,
): ImportPlan {
  const { fields } = scope.catalog.entities[file.into]
  const details = detailsOf(file, name, scope)
  /** Every upload provides this value, so rows need it only if it is compared. */
  const isGiven = (name: string, isCompared: boolean) =>
    !isCompared && file.given.some(({ field, required }) => field === name && required)
  return {
    into: file.into,
    batches: batchEntityOf(name),
    rows: rowEntityOf(name),
    title: file.title,
    columns: columnsOf(file, scope.catalog.entities[file.into]).map(
      ({ field, label, required, note, sample, compared, sameAs }): ImportColumn => ({
        field,
        label: label ?? fields[field].label,
        required: isGiven(field, compared) ? false : (required ?? (fields[field].required || file.key.includes(field))),
        compared,
        ...(note && { note }),
        ...(sample !== undefined && { sample }),
        ...(sameAs !== undefined && { sameAs }),
      }),
    ),
    given: file.given.map(({ field, label: own }) => ({
      field,
      kept: givenField(field),
      label: own ?? fields[field].label,
    })),
    among: filterValues(file.among),
    prefer: filterValues(file.prefer),
    ...(file.together && { together: file.together }),
    checks: file.checks,
    ...(details !== undefined && { details }),
    ...(file.updateMessage && { updateMessage: file.updateMessage }),
    key: file.key,
    existing: file.existing,
    missing: file.missing,
    set: file.set,
    confirmAlways: file.confirmAlways,
    maxRows: file.maxRows,
    ...(file.updateWhen !== undefined && { updateWhen: file.updateWhen }),
    ...(file.transition !== undefined && { transition: file.transition }),
    ...(file.foresee !== undefined && { foresee: file.foresee }),
    ...(file.finish !== undefined && { finish: file.finish }),
  }
}
