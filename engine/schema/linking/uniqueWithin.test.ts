import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { widgets } from '../../widgets/index.ts'
import { kinds } from '../../screens/index.ts'
import { compile } from '../compile.ts'

const folder = join(import.meta.dirname, '../../../tests/mistakes/sound')
const changed = 'schemas/shop/customer.entity.json'

/** What is said of the sound tree, whose customers have names that are unique within this. */
function told(uniqueWithin: string): string[] {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      if (path.replaceAll('\\', '/') !== changed) return { path, text }
      const entity = JSON.parse(text)
      const label = { cn: '字段', en: 'Field' }
      entity.fields.name.uniqueWithin = uniqueWithin
      entity.fields.street = { type: 'text', label }
      entity.fields.place = { type: 'text', computed: "street + '!'", label }
      entity.fields.friends = { type: 'references', entity: 'customer', label }
      return { path, text: JSON.stringify(entity) }
    })
  const { issues } = compile(sources, { widgets, kinds, procedures: [], uses: {}, reads: {} })
  return issues.flatMap(({ code, message }) => (code.startsWith('not-') ? [`${code}: ${message}`] : []))
}

it('is any field that is stored, computed or not', () => {
  expect(told('street')).toEqual([])
  expect(told('place')).toEqual([])
})

it('is neither computed on reading nor a list', () => {
  expect(told('spent')).toEqual([
    'not-stored: customer.spent is computed on reading: the server cannot tell values apart within it.',
  ])
  expect(told('friends')).toEqual(['not-a-reference: customer.friends is no reference to one record.'])
})
