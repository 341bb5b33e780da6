import { filterValues } from '../../model/filter.ts'
import { below } from '../../model/pointer.ts'
import { scopeOf } from '../linking/scope.ts'
import { isObject, placesOf } from '../walk.ts'
import { twins } from './texts.ts'
import type { CheckContext } from './checkContext.ts'
import type { ExpandedFile, NamedEntity } from '../named.ts'

/** Parts that appear beside similar parts, and the keys that determine what they show. */
const alike: Readonly<Record<string, { what: string; shows: readonly string[] }>> = {
  tabs: { what: 'tab', shows: ['filter', 'screen'] },
  cards: { what: 'card', shows: ['filter', 'screen', 'due'] },
}

/** Warns about tabs and cards with the same label or the same content. */
export function checkSameTabs({ source, value, shape }: ExpandedFile, { warn }: CheckContext): void {
  for (const { key, value: tabs, pointer } of placesOf(value, shape)) {
    if (!Object.hasOwn(alike, key) || !Array.isArray(tabs)) continue
    const { what, shows } = alike[key]
    const otherOf = twins()
    const shown = new Map<string, string>()
    for (const [index, tab] of tabs.entries()) {
      if (!isObject(tab)) continue
      const found = String(tab.name)
      const at = below(pointer, String(index))
      const called = otherOf(found, tab.label)
      if (called !== undefined) warn(source, `${at}/label`, 'same-choice-label', { found, other: called })
      const content = shows.filter((part) => tab[part] !== undefined)
      if (content.length === 0) continue
      const text = JSON.stringify(content.map((part) => (isObject(tab[part]) ? filterValues(tab[part]) : tab[part])))
      const other = shown.get(text)
      if (other === undefined) shown.set(text, found)
      else warn(source, below(at, content[0]), 'same-tab', { what, found, other })
    }
  }
}

const ofField = ['sum', 'avg', 'min', 'max'] as const

/** Warns about figures with the same label that are shown beside each other. */
export function checkSameMeasures(file: ExpandedFile, { names, warn }: CheckContext): void {
  for (const place of placesOf(file.value, file.shape)) {
    const { key, value: measures, pointer, parent } = place
    if ((key !== 'measures' && key !== 'summary') || !isObject(measures)) continue
    const entity = scopeOf(place, file, names)
    const reported = new Set<string>()
    for (const shown of shownTogether(parent?.value) ?? [Object.keys(measures)]) {
      const otherOf = twins()
      for (const written of shown) {
        // A column may have its own label.
        const column = isObject(written) ? written : { measure: written }
        const [found, measure] = [String(column.measure), measures[String(column.measure)]]
        if (!isObject(measure)) continue
        const measured = ofField.map((how) => measure[how]).find((field) => typeof field === 'string')
        const other = otherOf(found, column.label ?? measure.label ?? names.field(entity, measured ?? '')?.value.label)
        if (other === undefined || reported.has(found)) continue
        reported.add(found)
        warn(file.source, below(pointer, found), 'same-choice-label', { found, other }, { key: true })
      }
    }
  }
}

/** The measures of each tab and chart; undefined where all are shown. */
function shownTogether(around: unknown): unknown[][] | undefined {
  if (!isObject(around)) return undefined
  const groups = [around.tabs, around.charts].flat().flatMap((part) => {
    const shown = isObject(part) ? (part.columns ?? part.measures) : undefined
    return Array.isArray(shown) ? [shown] : []
  })
  return groups.length > 0 ? groups : undefined
}

/**
 * Warns about transitions with the same label, which look identical in the history, among permissions and above a list.
 */
export function checkSameTransitions({ value, source }: NamedEntity, { warn }: CheckContext): void {
  for (const [index, machine] of [value.states ?? []].flat().entries()) {
    const at = `${Array.isArray(value.states) ? `/states/${index}` : '/states'}/transitions`
    const otherOf = twins()
    const transitions = isObject(machine) && isObject(machine.transitions) ? Object.entries(machine.transitions) : []
    for (const [found, transition] of transitions) {
      const other = isObject(transition) ? otherOf(found, transition.label) : undefined
      if (other !== undefined) warn(source, `${below(at, found)}/label`, 'same-choice-label', { found, other })
    }
  }
}
