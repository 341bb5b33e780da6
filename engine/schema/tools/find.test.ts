import { expect, it } from 'vitest'
import { soundSources } from '../../../tests/soundTree.ts'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../../screens/index.ts'
import { compile } from '../compile.ts'

/** The sound tree, whose order finds its payer by `computed`. */
function compiled(computed: object, field: object = { type: 'reference', entity: 'customer' }) {
  const sources = soundSources({
    'shop/order.entity.json': (order) => {
      order.fields.payerName = { type: 'text', label: { cn: '付款人', en: 'Payer' } }
      order.fields.payer = { ...field, computed, label: { cn: '付款客户', en: 'Paying customer' } }
      return order
    },
  })
  return compile(sources, { widgets, kinds, procedures: [] })
}
const codes = (...given: Parameters<typeof compiled>) => compiled(...given).issues.map(({ code }) => code)

it('finds a record by a value in one of several fields', () => {
  const { catalog, issues } = compiled({ find: 'customer', by: 'payerName', in: ['name'] })
  expect(issues).toEqual([])
  expect(catalog!.entities.order.fields.payer.computed).toEqual({
    kind: 'find',
    entity: 'customer',
    by: 'payerName',
    in: ['name'],
  })
  expect(catalog!.tables.order.columns.map(({ name }) => name)).not.toContain('payer')
})

it('only stored values, and fields of what a stored reference points at, can be searched', () => {
  const searching = (search: string[], more: object) => {
    const sources = soundSources({
      'shop/order.entity.json': (order) => {
        order.fields.other = { type: 'text', label: { cn: '客户名', en: 'Customer name' }, ...more }
        return { ...order, search }
      },
    })
    return compile(sources, { widgets, kinds, procedures: [] }).issues.map(({ code }) => code)
  }
  expect(searching(['other'], { computed: { from: 'customer.name' } })).toEqual([])
  expect(searching(['other'], { type: 'money', computed: { from: 'customer.spent' } })).toEqual(['not-stored'])
  expect(searching(['other'], { computed: { from: 'customer.name' }, sensitive: true })).toEqual(['not-stored'])
  expect(searching(['other'], { computed: 'today()' })).toEqual(['not-stored'])
})

it('needs existing fields of the same type, and a field that refers to what is found', () => {
  expect(codes({ find: 'customer', by: 'payer_name', in: ['name'] })).toEqual(['unknown-field'])
  expect(codes({ find: 'customer', by: 'payerName', in: ['nmae'] })).toEqual(['unknown-field'])
  expect(codes({ find: 'customers', by: 'payerName', in: ['name'] })).toContain('unknown-entity')
  expect(codes({ find: 'customer', by: 'total', in: ['name'] })).toEqual(['lookup-type'])
  expect(codes({ find: 'customer', by: 'payerName', in: ['name'] }, { type: 'reference', entity: 'user' })).toEqual([
    'not-a-reference',
  ])
})
