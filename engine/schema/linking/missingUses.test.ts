import { expect, test } from 'vitest'
import type { NamedEntity } from '../named.ts'
import { missingUses } from './missingUses.ts'

test('what families would have is looked up again when the values of their template change', () => {
  const generated = {
    named: '*Enrolment',
    origin: () => ({ file: { data: { fields: { $each: 'bases' } } } }),
    madeBy: { data: { values: { bases: "${mode == 'own' ? ['declaredBase'] : []}" } } },
  }
  const fields = ['declaredBase?']
  const entities = { fundEnrolment: { fields: {}, source: { generated } } as unknown as NamedEntity }
  const missing = () =>
    missingUses({ entities, uses: { enrol: { '*Enrolment': fields } } }, 'enrol').map(({ field }) => field)
  expect(missing()).toEqual([])
  generated.madeBy = { data: { values: { bases: "${mode == 'own' ? ['base'] : []}" } } }
  expect(missing()).toEqual(['declaredBase'])
  generated.madeBy = { data: { values: { bases: "${mode == 'own' ? ['declaredBase'] : []}" } } }
  expect(missing()).toEqual([])
})
