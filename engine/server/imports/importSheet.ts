import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { Field, ImportPlan, Label } from '../../model/model.ts'
import { offeredBy } from '../records/reading/offered.ts'
import { main } from '../records/reading/columnOf.ts'
import { allOf, visibleConditions } from '../records/reading/visibleConditions.ts'
import { readPaths, referenceValue } from '../records/reading/references.ts'
import type { Context } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import type { SheetColumn } from '../sheets/sheetColumn.ts'

/** Nobody looks through a longer drop-down. */
const mostChoices = 500

/** The columns of an import as a sheet has them, without what only a template needs. */
export const sheetColumns = ({ derived }: Pick<Context, 'derived'>, plan: ImportPlan): SheetColumn[] => {
  const { fields } = derived.catalog.entities[plan.into]
  const lists = Object.values(derived.catalog.screens).flatMap(({ entity, body }) =>
    entity === plan.into ? ((body as { columns?: { field: string; label: Label }[] }).columns ?? []) : [],
  )
  return plan.columns.map(({ field, label, required, note, sample }) => {
    const widget = derived.widget(fields[field])
    const format = widget.sheet!.format?.(fields[field].options)
    return {
      key: field,
      label,
      aliases: [fields[field].label, ...lists.filter((column) => column.field === field).map((column) => column.label)],
      required,
      width: Math.round(widget.width(fields[field].options) / 7),
      ...(note && { note }),
      ...(sample !== undefined && { sample }),
      // A value looked up by code is a text, whatever it looks like.
      ...(format === undefined ? (widget.target ? { format: '@' } : {}) : { format }),
    }
  })
}

/** The same with the drop-down options for this user, in their language. */
export function offeringColumns(context: Context, plan: ImportPlan): Promise<SheetColumn[]> {
  const { fields } = context.derived.catalog.entities[plan.into]
  return Promise.all(
    sheetColumns(context, plan).map(async (column) => {
      const choices = await choicesOf(context, fields[column.key])
      return choices ? { ...column, choices } : column
    }),
  )
}

async function choicesOf(context: Context, field: Field): Promise<string[] | undefined> {
  const { derived, language } = context
  const widget = derived.widget(field)
  const dictionary = widget.dictionary?.(field.options)
  const many = widget.expression.startsWith('list')
  if (dictionary !== undefined) {
    return many
      ? undefined
      : derived.catalog.dictionaries[dictionary].choices
          .filter(({ disabled }) => !disabled)
          .map(({ label }) => textIn(label, language))
  }
  const target = derived.target(field)
  if (!target || target.many || target.rows) return undefined
  const { entity } = target
  const db = context.runtime.database.kysely
  const conditions = [...visibleConditions(context, entity), ...offeredBy(context, field)]
  const columns = [...new Set([entity.code, entity.display].filter((name) => name !== undefined))].map((name) =>
    sql.ref(`${main}.${name}`),
  )
  const { rows } = await sql<{
    id: number
  }>`select ${sql.ref(`${main}.id`)} as id, ${sql.join(columns)} from ${tableOf(context, entity)} as ${sql.ref(main)}
    where ${allOf(conditions)} order by ${columns[0]} limit ${mostChoices + 1}`.execute(db)
  if (rows.length === 0 || rows.length > mostChoices) return undefined
  const paths = entity.tree
    ? await readPaths(
        context,
        db,
        entity,
        rows.map(({ id }) => id),
      )
    : undefined
  return rows.map((row) => {
    const { code, name } = referenceValue(context, entity, row)
    return paths ? paths.get(row.id)!.join('/') : (code ?? name)
  })
}

/** Identifies a file's import, the columns that it was made with, and the batch whose failed rows it contains. */
export const markerOf = (plan: ImportPlan, corrects?: number): string =>
  ['formwork', plan.batches, hashOf(plan), corrects ?? ''].join('|')

export function readMarker(
  marker: string | null,
  plan: ImportPlan,
): { foreign: boolean; outdated: boolean; corrects?: number } {
  const [product, batches, hash, corrects] = (marker ?? '').split('|')
  if (product !== 'formwork') return { foreign: false, outdated: false }
  return {
    foreign: batches !== plan.batches,
    outdated: hash !== hashOf(plan),
    ...(/^[1-9]\d{0,14}$/.test(corrects ?? '') && { corrects: Number(corrects) }),
  }
}

const hashOf = ({ columns }: ImportPlan): string =>
  createHash('sha256')
    .update(JSON.stringify(columns.map(({ field, label, required }) => [field, label, required])))
    .digest('hex')
    .slice(0, 12)
