import { sql } from 'kysely'
import type { Label } from '../../model/model.ts'
import { joinedBy, semicolon } from '../../model/language.ts'
import { fill, listed, Refusal } from '../errors.ts'
import { may } from '../identity/access.ts'
import { tableOf } from '../identity/scope.ts'
import type { Written } from '../records/undo.ts'
import type { Context, Db } from '../runtime.ts'
import type { Job } from './importBatches.ts'
import { type Keeping, reasonOf, sees } from './undoReasons.ts'

const mostNamed = 20

export type Batch = Pick<Job, 'plan' | 'id'>

/** What keeps an import from being undone. */
export interface Held {
  /** Rows of the file, in its order. */
  rows: readonly { number: number; keeping: Keeping }[]
  /** What followed from the rows. */
  others: readonly Written[]
  /** What the entities' guards say. */
  why: readonly Label[]
  going: ReadonlyMap<string, ReadonlySet<number>>
  numbers: ReadonlyMap<number, number>
}

/** Causes that belong to the import. */
export const ownCauses = ({ plan, id }: Batch): string[] => [
  `import:${plan.batches}/${id}`,
  `undo:${plan.batches}/${id}`,
]

const texts = {
  row: { cn: '第{n}行', en: 'row {n}' },
  rowOf: { cn: '第{n}行的', en: 'row {n}: ' },
  because: { cn: '{what}（{why}）', en: '{what} ({why})' },
  more: { cn: '{named}等', en: '{named} and others' },
  followed: { cn: '{row}{label}{name}', en: '{row}{label}{name}' },
  hidden: { cn: '后续数据', en: 'data that followed' },
} satisfies Record<string, Label>

/** Says which rows, or which records that followed from them, keep the undo back, and why each does. */
export async function refusalOf(context: Context, db: Db, batch: Batch, held: Held): Promise<Refusal> {
  const { rows, others, why, going } = held
  if (why.length > 0) return new Refusal('importGuarded', { parameters: { why: joinedBy(semicolon, why) } })
  const undoing = { own: ownCauses(batch), going }
  const named: Label[] = []
  if (rows.length > 0) {
    for (const { number, keeping } of rows.slice(0, mostNamed))
      named.push(withReason(fill(texts.row, { n: number }), await reasonOf(context, db, keeping, undoing)))
    const result = { rows: rows.map(({ number }) => number) }
    return new Refusal('importEdited', { parameters: { rows: allNamed(named, rows.length > mostNamed) }, result })
  }
  const seen: { entity: string; id: number }[] = []
  for (const written of others.slice(0, mostNamed)) {
    const { entity, id, label } = written
    const isSeen = await sees(context, db, entity, id)
    if (isSeen) seen.push({ entity: entity.name, id })
    const number = await rowReferredTo(context, db, batch, written, held.numbers)
    const what = fill(texts.followed, {
      row: number === undefined ? '' : fill(texts.rowOf, { n: number }),
      label: may(context.user, entity.permissions.view) ? entity.label : texts.hidden,
      name: isSeen && label ? ` ${label}` : '',
    })
    named.push(withReason(what, await reasonOf(context, db, written, undoing)))
  }
  return new Refusal('importFollowed', {
    parameters: { names: allNamed(distinct(named), others.length > mostNamed) },
    result: { records: seen },
  })
}

const withReason = (what: Label, why: Label | undefined): Label => (why ? fill(texts.because, { what, why }) : what)
/** Records that may not be named read alike. */
const distinct = (named: readonly Label[]): Label[] => [
  ...new Map(named.map((each) => [JSON.stringify(each), each])).values(),
]
const allNamed = (named: readonly Label[], hasMore: boolean): Label =>
  hasMore ? fill(texts.more, { named: listed(named) }) : listed(named)

/** The row of the file whose record this one refers to; undefined if it refers to none. */
async function rowReferredTo(
  context: Context,
  db: Db,
  { plan }: Batch,
  { entity, id }: Written,
  numbers: ReadonlyMap<number, number>,
): Promise<number | undefined> {
  for (const { entity: other, field, many } of context.derived.incoming[plan.into]) {
    if (other !== entity || many || context.derived.columns[entity.name][field.name] === undefined) continue
    const { rows } = await sql<{ target: number | null }>`select ${sql.ref(field.name)} as target
      from ${tableOf(context, entity)} where id = ${id}`.execute(db)
    const number = numbers.get(Number(rows[0]?.target))
    if (number !== undefined) return number
  }
  return undefined
}
