import { expect, it } from 'vitest'
import { soundSources } from '../../../tests/soundTree.ts'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../../screens/index.ts'
import { compile } from '../compile.ts'

/** The issues of the sound tree, whose customers have names that are unique within this field. */
function issuesOf(uniqueWithin: string): string[] {
  const label = { cn: '字段', en: 'Field' }
  const sources = soundSources({
    'shop/customer.entity.json': (customer) => {
      Object.assign(customer.fields, {
        name: { ...customer.fields.name, uniqueWithin },
        street: { type: 'text', label },
        place: { type: 'text', computed: "street + '!'", label },
        friends: { type: 'references', entity: 'customer', label },
      })
      return customer
    },
  })
  const { issues } = compile(sources, { widgets, kinds, procedures: [], uses: {}, reads: {} })
  return issues.flatMap(({ code, message }) => (code.startsWith('not-') ? [`${code}: ${message}`] : []))
}

it('accepts any stored field, computed or not', () => {
  expect(issuesOf('street')).toEqual([])
  expect(issuesOf('place')).toEqual([])
})

it('refuses a field computed on reading, and a list', () => {
  expect(issuesOf('spent')).toEqual([
    'not-stored: customer.spent is computed on reading: the server cannot tell values apart within it.',
  ])
  expect(issuesOf('friends')).toEqual(['not-a-reference: customer.friends is not a reference to one record.'])
})
