import { useMemo } from 'react'
import { useEngine } from '../../client/view.ts'
import type { EntityPlan } from '../../model/model.ts'
import { cardOf } from './card.ts'
import type { Card } from './card.ts'
import type { ArrangedColumn } from './columnChoices.ts'

/** What a card shows of a record; undefined if the list stays a table. */
export function useCard(
  enabled: boolean,
  { fields, display, states }: EntityPlan,
  columns: readonly ArrangedColumn[],
): Card | undefined {
  const engine = useEngine()
  return useMemo(
    () =>
      enabled
        ? cardOf({
            columns,
            fields,
            display,
            states: states.map(({ field }) => field),
            tagged: (field) => {
              const { type, options } = fields[field]
              const dictionary = engine.widgets[type]?.dictionary?.(options)
              return dictionary !== undefined && engine.dictionary(dictionary).choices.some(({ tag }) => tag)
            },
            summable: (type) => engine.widgets[type]?.summable === true,
            money: (type) => engine.widgets[type]?.isAmount === true,
          })
        : undefined,
    [enabled, columns, fields, display, states, engine],
  )
}
