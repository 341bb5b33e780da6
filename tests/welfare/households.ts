import { readSchemas } from '../../engine/server/catalog/sources.ts'
import type { Catalog } from '../../engine/model/model.ts'
import { compiledOnce } from '../compiledOnce.ts'
import { policyInForce } from '../welfare.ts'
import { done, type AdjustingHouse } from './adjusting.ts'

/** A policy of Beijing for people of one household type, with a floor, from a month on. @returns its id */
export const policyForType = (
  { house, around }: Pick<AdjustingHouse, 'house' | 'around'>,
  { type, floor, ...more }: { type: string; floor: string; effectiveFrom?: string },
) =>
  policyInForce(house, {
    kind: 'social',
    city: '110100',
    agency: around.agency,
    limits: { baseFloor: floor, baseCeiling: '36000' },
    householdTypes: [type],
    name: type,
    ...more,
  })

export async function changeHousehold(
  { house }: Pick<AdjustingHouse, 'house'>,
  id: number,
  householdType: string,
): Promise<void> {
  const { revision } = (await house.admin.get('/staff/person/detail', { id })).result
  done(await house.admin.post('/staff/person/update', { id, revision, values: { householdType } }))
}

/** The catalog with a family that has no adjustment tickets. */
export function withoutAdjustments(family: string): () => Catalog {
  const files = readSchemas('schemas').map(({ path, text }) =>
    path.endsWith(`/${family}.family.json`) ? { path, text: without(text) } : { path, text },
  )
  return () => structuredClone(compiledOnce(`${family} without adjustments`, () => files))
}

function without(text: string): string {
  const file = JSON.parse(text) as { parameters: Record<string, Record<string, unknown>> }
  const { pages, words, badge } = file.parameters
  delete file.parameters.adjustTypes
  for (const [from, name] of [
    [pages, 'fm'],
    [words, 'adjustCn'],
    [words, 'adjustEn'],
    [badge, 'fm'],
  ] as const)
    delete from[name]
  return JSON.stringify(file)
}
