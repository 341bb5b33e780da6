import { truncateText } from '../../model/truncateText.ts'
import { nearestName } from '../../expression/index.ts'
import type { Entity, Label } from '../../model/model.ts'
import { commonParameters, type QueryParameter } from '../../model/queryParameters.ts'
import { Refusal } from '../errors.ts'

/** A longer name is not a typing mistake. */
const longest = 50

/**
 * Refuses unknown query parameters: with a misspelt filter, the answer would otherwise be the whole list.
 * @throws Refusal unknownParameter.
 */
export function refuseUnknown(
  query: object,
  parameters: Readonly<Record<string, QueryParameter>>,
  entity?: Entity,
): void {
  const unknown = Object.keys(query).find(
    (name) => !Object.hasOwn(parameters, name) && !Object.hasOwn(commonParameters, name),
  )
  if (unknown === undefined) return
  throw new Refusal('unknownParameter', {
    parameters: { name: truncateText(unknown, longest), hint: hintOf(unknown, parameters, entity) },
  })
}

function hintOf(
  unknown: string,
  parameters: Readonly<Record<string, QueryParameter>>,
  entity: Entity | undefined,
): Label {
  if ('filters' in parameters && entity && Object.hasOwn(entity.fields, unknown)) {
    const filters = `filters={"${unknown}":{"equals":…}}`
    return { cn: `，按字段筛选请用 ${filters}`, en: `; to filter by a field, use ${filters}` }
  }
  const own = Object.keys(parameters)
  const nearest =
    unknown.length > longest ? undefined : nearestName(unknown, [...own, ...Object.keys(commonParameters)])
  if (nearest !== undefined) return { cn: `，是否应为“${nearest}”？`, en: `, did you mean "${nearest}"?` }
  return own.length === 0
    ? { cn: '，此接口无需参数', en: '; this call takes none' }
    : { cn: `，可用参数：${own.join('、')}`, en: `; it takes ${own.join(', ')}` }
}
