import { sql } from 'kysely'
import { problems as messages } from '../errors.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { problemAt, type Placed, type Found } from './writtenValues.ts'

/** No node may become its own ancestor, even if several move at once, and the maximum depth holds. */
export async function verifyTree(context: Context, db: Db, group: readonly Placed[]): Promise<Found[]> {
  const { entity, field } = group[0]
  const { parent, depth } = entity.tree!
  const table = tableOf(context, entity)
  const above = sql.ref(`node.${parent}`)
  const ids = group.map(({ record }) => record.id ?? null)
  const { rows } = await sql<{ ancestors: number[]; height: number }>`
    with recursive given as materialized (
      select place, id, parent
      from unnest(${ids}::bigint[], ${group.map(({ value }) => value)}::bigint[]) with ordinality as given (id, parent, place)
    ), up(place, id, step) as (
      select place, parent, 1 from given
      union select up.place, above.id, up.step + 1 from up join ${table} as node on node.id = up.id
        left join given as moved on moved.id = node.id
        cross join lateral (select case when moved.id is null then ${above} else moved.parent end as id) as above
        where above.id is not null and up.step < 50
    ), down(place, id, step) as (
      select place, id, 1 from given
      union select down.place, below.id, down.step + 1 from down cross join lateral (
        select node.id from ${table} as node where ${above} = down.id and node."deletedAt" is null
          and not exists (select 1 from given where given.id = node.id)
        union all select given.id from given where given.parent = down.id and given.id is not null) as below
        where down.step < 50
    ) select (select array_agg(id) from up where up.place = given.place) as ancestors,
        (select max(step) from down where down.place = given.place) as height
      from given order by place`.execute(db)
  return group.flatMap((at, index) => {
    const { ancestors, height } = rows[index]
    if (at.record.id !== undefined && ancestors.includes(at.record.id))
      return [{ at, problem: problemAt(at.path, 'tree-cycle', messages.treeCycle, { label: field.label }) }]
    return ancestors.length + height > depth
      ? [{ at, problem: problemAt(at.path, 'tree-depth', messages.treeDepth, { depth }) }]
      : []
  })
}
