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
const changed = (from: RegExp, to: string): SourceText[] =>
  sound.map((source) => {
    if (!source.path.endsWith('shop/customer.entity.json')) return source
    expect(source.text).toMatch(from)
    return { ...source, text: source.text.replace(from, to) }
  })

/** Returns how often a computation that reads the customer has run once these sources are compiled. */
function runs(reading: 'whole' | 'structure') {
  const of = {}
  const run = vi.fn((names: Names) => names.entities.customer.fields.name.type)
  return (sources: SourceText[]) => {
    const reporter = new Reporter()
    new Memory(nameAll(sources, lists, reporter).names, reporter.report).recall('asks', of, [], run, reading)
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
