import { useMemo } from 'react'
import type { ActionPlan, RecordData } from '../../model/model.ts'
import { ActionLink } from './ActionButton.tsx'
import { MoreActions } from './MoreActions.tsx'
import { rowOffer } from './rowOffer.ts'
import type { Actions } from './useActions.tsx'

interface RowActionsProps {
  actions: Actions
  plans: ActionPlan[]
  record: RecordData
  /** Whether a click on the row already does this. */
  opens?(plan: ActionPlan): boolean
  /** The id of the element that names the record. */
  ownerId?: string
  /** There is only room for one action or the menu. */
  tight?: boolean
}

/** The actions of one record: the primary one, and a menu with the rest. */
export function RowActions({ actions, plans, record, opens, ownerId, tight }: RowActionsProps) {
  const shown = plans.filter((plan) => actions.shown(plan, [record]))
  const { seen, more } = rowOffer(shown, { granted: actions.granted, opens, tight })
  const records = useMemo(() => [record], [record])
  return (
    <>
      {seen.map((plan) => (
        <ActionLink key={plan.name} actions={actions} action={plan} records={records} ownerId={ownerId} />
      ))}
      {more.length > 0 && (
        <MoreActions
          plans={more}
          refusal={actions.refusal}
          ownerId={ownerId}
          onChoose={(plan) => actions.run(plan, records)}
        />
      )}
    </>
  )
}
