import { filterValues } from '../../model/filter.ts'
import { below } from '../../model/pointer.ts'
import { isObject, placesOf } from '../walk.ts'
import { twins } from './texts.ts'
import type { Ground } from './ground.ts'
import type { ExpandedFile, NamedEntity } from '../named.ts'

/** Warns of tabs with the same label or the same content. */
export function checkSameTabs({ source, value, shape }: ExpandedFile, { warn }: Ground): void {
  for (const { key, value: tabs, pointer } of placesOf(value, shape)) {
    if (key !== 'tabs' || !Array.isArray(tabs)) continue
    const otherOf = twins()
    const shown = new Map<string, string>()
    for (const [index, tab] of tabs.entries()) {
      if (!isObject(tab)) continue
      const found = String(tab.name)
      const at = below(pointer, String(index))
      const called = otherOf(found, tab.label)
      if (called !== undefined) warn(source, `${at}/label`, 'same-choice-label', { found, other: called })
      const content = ['filter', 'screen'].find((one) => tab[one] !== undefined)
      if (content === undefined) continue
      const what = JSON.stringify(isObject(tab[content]) ? filterValues(tab[content]) : tab[content])
      const other = shown.get(what)
      if (other === undefined) shown.set(what, found)
      else warn(source, below(at, content), 'same-tab', { found, other })
    }
  }
}

/**
 * Warns of transitions with the same label, which look identical in the history, among permissions and above a list.
 */
export function checkSameTransitions({ value, source }: NamedEntity, { warn }: Ground): void {
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
