import { sql, type RawBuilder } from 'kysely'
import type { Entity } from '../../../model/model.ts'
import { type Condition, scopedReferences } from '../../identity/scope.ts'
import type { Context } from '../../runtime.ts'
import type { StoredChanges } from './changes.ts'
import { allOf } from './visibleConditions.ts'

/**
 * A record may come to another owner, such as a person to another customer. What happened to it before is for those who
 * see the former owner. On entries of its history, under an alias. `theirs`: it happened under an owner whom the user
 * sees. `arrived`: it brought the record from one whom they do not see, so that its former values are not theirs.
 * Undefined if that cannot be.
 */
export function ownChanges(
  context: Context,
  entity: Entity,
  alias: string,
): { theirs: Condition; arrived: Condition } | undefined {
  const references = scopedReferences(context, entity)
  if (references.length === 0) return undefined
  const [theirs, arrived]: [Condition[], Condition[]] = [[], []]
  for (const { name, sees } of references) {
    const former = (table: string) => sql`(${sql.ref(`${table}.changes`)}->'fields'->${name}->>0)::bigint`
    const isHidden = (id: RawBuilder<unknown>) => sql<boolean>`(${id} is not null and not ${sees(id)})`
    theirs.push(sql<boolean>`not exists (select from (
        select ${former('later')} as owner from system_history as later
        where later.entity = ${sql.ref(`${alias}.entity`)} and later.record_id = ${sql.ref(`${alias}.record_id`)}
          and later.id > ${sql.ref(`${alias}.id`)} and jsonb_exists(later.changes->'fields', ${name})
        order by later.id limit 1) as next where ${isHidden(sql.ref('next.owner'))})`)
    arrived.push(isHidden(former(alias)))
  }
  return { theirs: allOf(theirs), arrived: sql<boolean>`(${sql.join(arrived, sql` or `)})` }
}

/** Changes without their former values. */
export const withoutFormer = (fields: StoredChanges): StoredChanges =>
  Object.fromEntries(Object.entries(fields).map(([name, [, now]]) => [name, [null, now]]))
