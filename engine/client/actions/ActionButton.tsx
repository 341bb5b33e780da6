import { Button } from 'antd'
import type { MouseEvent } from 'react'
import type { ActionPlan, RecordData } from '../../model/model.ts'
import { fillLink } from '../fill.ts'
import { useClient } from '../frame.ts'
import { refused } from '../refused.ts'
import { follow } from '../ScreenProblem.tsx'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import { namedAfter } from './namedAfter.ts'
import type { Actions } from './useActions.tsx'

interface ActionProps {
  actions: Actions
  action: ActionPlan
  records: RecordData[]
}

/** A button in a toolbar, header or footer; a real link if the action navigates. */
export function ActionButton({
  actions,
  action,
  records,
  count,
}: ActionProps & { /** For ticked records: batch actions. */ count?: number }) {
  const { text } = useEngine()
  const { href } = useClient()
  const words = useWords()
  const label = count ? words('counted', { label: text(action.label), n: count }) : text(action.label)
  const type = action.primary ? 'primary' : 'default'
  const to = linkOf(actions, action, records)
  if (to !== undefined)
    return (
      <Button
        data-action={action.name}
        type={type}
        href={href(to)}
        onClick={(event) => follow(event, actions.frame, to)}
      >
        {label}
      </Button>
    )
  const refusal = actions.refusal(action)
  return (
    <Button
      {...refused(refusal)}
      data-action={action.name}
      type={refusal === undefined ? type : 'default'}
      danger={action.danger && refusal === undefined}
      disabled={count === 0}
      onClick={() => actions.run(action, records)}
    >
      {label}
    </Button>
  )
}

/** An action of a row, rendered as a link. */
export function ActionLink({ actions, action, records, ownerId }: ActionProps & { ownerId?: string }) {
  const { text } = useEngine()
  const { href } = useClient()
  const to = linkOf(actions, action, records)
  const common = {
    className: 'action-link',
    'data-action': action.name,
    'data-danger': action.danger || undefined,
    ...namedAfter(ownerId, action.name),
  }
  const label = text(action.label)
  if (to !== undefined)
    return (
      <a {...common} href={href(to)} onClick={(event: MouseEvent) => follow(event, actions.frame, to)}>
        {label}
      </a>
    )
  const refusal = actions.refusal(action)
  return (
    <button {...common} {...refused(refusal)} type="button" onClick={() => actions.run(action, records)}>
      {label}
    </button>
  )
}

/** Where an action navigates, if the user may go there. */
function linkOf({ granted }: Actions, action: ActionPlan, records: RecordData[]): string | undefined {
  return action.do.kind === 'link' && granted(action) ? fillLink(action.do.to, records[0] ?? {}) : undefined
}
