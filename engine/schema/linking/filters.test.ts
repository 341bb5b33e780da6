import { expect, it } from 'vitest'
import { soundSources } from '../../../tests/soundTree.ts'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { compile } from '../compile.ts'

/** The issues of the sound tree with one more field of its order, and with other keys of its list. */
function codes(clerk: object, list: object = {}): string[] {
  const sources = soundSources({
    'shop/order.entity.json': (order) => {
      order.fields.helper = { type: 'reference', entity: 'user', label: { cn: '帮手', en: 'Helper' }, ...clerk }
      return order
    },
    'shop/order.list.json': (file) => ({ ...file, ...list }),
  })
  return compile(sources, { widgets, kinds, procedures: [] }).issues.map(({ code }) => code)
}

it('a reference may filter by existing fields of what its records point at', () => {
  const through = (field: string, where: unknown) => ({ offersFirst: { [field]: { where } } })
  expect(codes(through('department', { name: '仓库' }))).toEqual([])
  expect(codes({ filter: { department: { where: { name: '仓库' } } } })).toEqual([])
  expect(codes(through('department', { nmae: '仓库' }))).toEqual(['unknown-field'])
  expect(codes(through('name', { name: '仓库' }))).toEqual(['unknown-operator'])
  expect(codes(through('department', '仓库'))).toEqual(['unknown-operator'])
})

it('a filter that clients send may not', () => {
  const tab = { name: 'own', label: { cn: '仓库', en: 'Store' }, filter: { clerk: { where: { name: '仓库' } } } }
  expect(codes({}, { tabs: [tab] })).toEqual(['unknown-operator'])
})
