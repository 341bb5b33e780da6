import { expect, it } from 'vitest'
import { soundSources } from '../../../tests/soundTree.ts'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../../screens/index.ts'
import { compile } from '../compile.ts'

const label = { cn: '来访', en: 'Visits' }

/** The sound tree, whose order counts the visits of its customer that were in progress on its day by `computed`. */
function compiled(computed: object) {
  const sources = soundSources({
    'shop/order.entity.json': (order) => {
      order.fields.day = { type: 'date', label }
      order.fields.visits = { type: 'integer', computed, label }
      return order
    },
    'shop/visit.entity.json': () => ({
      label,
      display: 'purpose',
      fields: {
        purpose: { type: 'text', label },
        customer: { type: 'reference', entity: 'customer', label },
        guide: { type: 'reference', entity: 'user', label },
        begins: { type: 'date', label },
        ends: { type: 'date', label },
        month: { type: 'month', label },
        told: { type: 'text', computed: 'today() + purpose', label },
      },
    }),
  })
  return compile(sources, { widgets, kinds, procedures: [] })
}
const codes = (given: object) => compiled(given).issues.map(({ code }) => code)
const count = { count: 'visit', by: 'customer', of: 'customer' }
const during = { at: 'day', from: 'begins', until: 'ends' }

it('counts what refers to the same record and was in progress at a given time', () => {
  const { catalog, issues } = compiled({ ...count, during })
  expect(issues).toEqual([])
  expect(catalog!.entities.order.fields.visits.computed).toEqual({
    kind: 'aggregate',
    function: 'count',
    entity: 'visit',
    by: 'customer',
    of: 'customer',
    during,
  })
})

it('needs a reference to one record, to which the others refer, too', () => {
  expect(codes({ ...count, of: 'custmer' })).toEqual(['unknown-field'])
  expect(codes({ ...count, of: 'total' })).toEqual(['lookup-type'])
  expect(codes({ ...count, by: 'guide' })).toEqual(['not-a-reference'])
  expect(codes({ count: 'visit', by: 'customer' })).toEqual(['not-a-reference'])
})

it('needs a time of the same type as the beginning and the end', () => {
  expect(codes({ ...count, during: { ...during, at: 'dya' } })).toEqual(['unknown-field'])
  expect(codes({ ...count, during: { ...during, from: 'begin' } })).toEqual(['unknown-field'])
  expect(codes({ ...count, during: { ...during, until: 'month' } })).toEqual(['lookup-type'])
  expect(codes({ ...count, during: { at: 'day', from: 'begins' } })).toEqual(['missing-key'])
  expect(codes({ ...count, during: { ...during, from: 'told' } })).toEqual(['not-stored'])
})
