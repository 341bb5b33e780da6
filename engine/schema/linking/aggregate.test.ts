import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../../screens/index.ts'
import { compile } from '../compile.ts'

const folder = join(import.meta.dirname, '../../../tests/mistakes/sound')
const [order, visit] = ['schemas/shop/order.entity.json', 'schemas/shop/visit.entity.json']
const label = { cn: '来访', en: 'Visits' }

/** The sound tree, whose order counts in this way the visits of its customer that were under way on its day. */
function compiled(computed: object) {
  const texts = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path): [string, string] => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  )
  const changed = JSON.parse(texts.get(order)!)
  changed.fields.day = { type: 'date', label }
  changed.fields.visits = { type: 'integer', computed, label }
  texts.set(order, JSON.stringify(changed))
  texts.set(
    visit,
    JSON.stringify({
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
  )
  return compile(
    [...texts].map(([path, text]) => ({ path, text })),
    { widgets, kinds, procedures: [] },
  )
}
const codes = (given: object) => compiled(given).issues.map(({ code }) => code)
const count = { count: 'visit', by: 'customer', of: 'customer' }
const during = { at: 'day', from: 'begins', until: 'ends' }

it('what refers to a record that this one refers to is counted, of what was under way at a time', () => {
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

it('over a reference to one record, which the others refer to as well', () => {
  expect(codes({ ...count, of: 'custmer' })).toEqual(['unknown-field'])
  expect(codes({ ...count, of: 'total' })).toEqual(['lookup-type'])
  expect(codes({ ...count, by: 'guide' })).toEqual(['not-a-reference'])
  expect(codes({ count: 'visit', by: 'customer' })).toEqual(['not-a-reference'])
})

it('at a time that is of one type with its beginning and its end', () => {
  expect(codes({ ...count, during: { ...during, at: 'dya' } })).toEqual(['unknown-field'])
  expect(codes({ ...count, during: { ...during, from: 'begin' } })).toEqual(['unknown-field'])
  expect(codes({ ...count, during: { ...during, until: 'month' } })).toEqual(['lookup-type'])
  expect(codes({ ...count, during: { at: 'day', from: 'begins' } })).toEqual(['missing-key'])
  expect(codes({ ...count, during: { ...during, from: 'told' } })).toEqual(['not-stored'])
})
