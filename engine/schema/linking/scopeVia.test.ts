import { expect, it } from 'vitest'
import { soundSources } from '../../../tests/soundTree.ts'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../../screens/index.ts'
import { compile } from '../compile.ts'

/** The issues of the sound tree, whose orders are seen by way of these fields. */
function issuesOf(via: string | string[]): string[] {
  const label = { cn: '字段', en: 'Field' }
  const sources = soundSources({
    'shop/order.entity.json': (order) => {
      order.scope = { via }
      Object.assign(order.fields, {
        partners: { type: 'references', entity: 'customer', label },
        sponsor: { type: 'reference', entity: 'customer', computed: { from: 'customer.referrer' }, label },
      })
      return order
    },
    'shop/customer.entity.json': (customer) => {
      Object.assign(customer.fields, { referrer: { type: 'reference', entity: 'customer', label } })
      return customer
    },
  })
  const { issues } = compile(sources, { widgets, kinds, procedures: [], uses: {}, reads: {} })
  return issues.flatMap(({ code, message }) => (code.startsWith('not-') ? [`${code}: ${message}`] : []))
}

it('accepts a reference to one record or many, and several references', () => {
  expect(issuesOf('customer')).toEqual([])
  expect(issuesOf('partners')).toEqual([])
  expect(issuesOf(['customer', 'partners'])).toEqual([])
})

it('refuses what is no reference, rows, and what is computed on reading', () => {
  expect(issuesOf('number')).toEqual(['not-a-reference: order.number is not a reference to a record.'])
  expect(issuesOf(['customer', 'lines'])).toEqual(['not-a-reference: order.lines is not a reference to a record.'])
  expect(issuesOf('sponsor')).toEqual([
    'not-stored: order.sponsor is computed on reading: the server cannot apply the data scope by it.',
  ])
})
