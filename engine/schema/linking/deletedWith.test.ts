import { expect, it } from 'vitest'
import { soundSources } from '../../../tests/soundTree.ts'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../../screens/index.ts'
import { compile } from '../compile.ts'

/** The sound tree, with more keys for fields of its order. */
function compiled(more: Record<string, object>, options: object = {}) {
  const sources = soundSources({
    'shop/order.entity.json': (order) => {
      for (const [name, says] of Object.entries(more)) order.fields[name] = { ...order.fields[name], ...says }
      return { ...order, ...options }
    },
  })
  return compile(sources, { widgets, kinds, procedures: [] })
}
const codes = (more: Record<string, object>) => compiled(more).issues.map(({ code }) => code)

it('a record may be deleted with the one that it refers to, under a condition about itself', () => {
  const { catalog, issues } = compiled({ customer: { deletedWith: "status == 'open'" } })
  expect(issues).toEqual([])
  expect(catalog!.entities.order.fields.customer.deletedWith).toBe("status == 'open'")
})

it('a record may draw on records that it refers to, and on nothing else', () => {
  const { catalog, issues } = compiled({ customer: { draws: true } })
  expect(issues).toEqual([])
  expect(catalog!.entities.order.fields.customer.draws).toBe(true)
  expect(codes({ number: { draws: true } })).toEqual(['not-a-reference'])
  expect(codes({ lines: { draws: true } })).toEqual(['not-a-reference'])
})

it('the condition is true or false, for a stored reference to one record', () => {
  expect(codes({ customer: { deletedWith: "stauts == 'open'" } })).toEqual(['unknown-name'])
  expect(codes({ customer: { deletedWith: 'total' } })).toEqual(['expression-type'])
  expect(codes({ number: { deletedWith: 'true' } })).toEqual(['not-a-reference'])
  expect(codes({ lines: { deletedWith: 'true' } })).toEqual(['not-a-reference'])
  const department = {
    type: 'reference',
    entity: 'department',
    label: { cn: '部门', en: 'Department' },
    computed: { from: 'clerk.department' },
  }
  expect(codes({ place: { ...department, deletedWith: 'true' } })).toEqual(['not-stored'])
})

it('creating a record, or an action, may be declared to happen only once', () => {
  const actions = { settle: { label: { cn: '结清', en: 'Settle' }, permission: 'edit', update: ['total'] } }
  const { catalog, issues } = compiled({}, { actions, once: ['create', 'settle'] })
  expect(issues).toEqual([])
  expect(catalog!.entities.order.once).toEqual(['create', 'settle'])
  const wrong = compiled({}, { actions, once: ['crate', 'edit'] }).issues
  expect(wrong.map(({ code }) => code)).toEqual(['unknown-action', 'unknown-action'])
})
