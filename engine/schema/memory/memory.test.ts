import { expect, test, vi } from 'vitest'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { nameAll } from '../compile.ts'
import { Memory } from './memory.ts'
import { Reporter } from '../issues/report.ts'
import type { SourceText } from '../reading/SourceFile.ts'
import type { Names } from '../named.ts'
import { soundSources } from '../../../tests/soundTree.ts'

const lists = { widgets, kinds, procedures: [] }
const sound = soundSources()
const changed = (from: RegExp, to: string, file = 'customer.entity'): SourceText[] =>
  sound.map((source) => {
    if (!source.path.endsWith(`shop/${file}.json`)) return source
    expect(source.text).toMatch(from)
    return { ...source, text: source.text.replace(from, to) }
  })

const typeOfName = (names: Names) => names.entities.customer.fields.name.type

/** Returns how often a computation that reads something has run once these sources are compiled. */
function runs(reading: 'whole' | 'structure', read: (names: Names) => unknown = typeOfName) {
  const owner = {}
  const run = vi.fn(read)
  return (sources: SourceText[]) => {
    const reporter = new Reporter()
    new Memory(nameAll(sources, lists, reporter).names, reporter.report).recall('asks', owner, [], run, reading)
    return run.mock.calls.length
  }
}

test("what depends only on an entity's structure is not recomputed when a label changes", () => {
  const structure = runs('structure')
  const whole = runs('whole')
  expect([structure(sound), whole(sound)]).toEqual([1, 1])
  expect([structure(sound), whole(sound)]).toEqual([1, 1])
  const renamed = changed(/"cn": "[^"]*"/, '"cn": "主顾"')
  expect([structure(renamed), whole(renamed)]).toEqual([1, 2])
  const remade = changed(/"type": "text"/, '"type": "textarea"')
  expect([structure(remade), whole(remade)]).toEqual([2, 3])
})

test.each([
  [
    'orderStatus.dictionary',
    (names: Names) => names.dictionaries.orderStatus.values,
    /"value": "open"/,
    '"value": "new"',
  ],
  ['order.list', (names: Names) => names.screens['order.list'].route, /"route": "/, '"route": "/new'],
])('the same holds for what depends on %s', (file, read, from, to) => {
  const structure = runs('structure', read)
  const whole = runs('whole', read)
  expect([structure(sound), whole(sound)]).toEqual([1, 1])
  const renamed = changed(/"cn": "[^"]*"/, '"cn": "另名"', file)
  expect([structure(renamed), whole(renamed)]).toEqual([1, 2])
  const remade = changed(from, to, file)
  expect([structure(remade), whole(remade)]).toEqual([2, 3])
})

test('whether a field has a column is looked up again once its entity changes, and not before', () => {
  const isStored = runs('structure', (names) => names.isStored('customer', 'spent'))
  expect([isStored(sound), isStored(changed(/"cn": "[^"]*"/, '"cn": "主顾"'))]).toEqual([1, 1])
  expect(isStored(changed(/"type": "text"/, '"type": "textarea"'))).toBe(2)
})
