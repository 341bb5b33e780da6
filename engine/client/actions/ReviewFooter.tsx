import { useNotices } from '../notices.tsx'
import { Button, Checkbox } from 'antd'
import type { ActionPlan } from '../../model/model.ts'
import { busySign } from '../busySign.tsx'
import type { usePreference } from '../records.ts'
import { refused } from '../refused.ts'
import { reportError } from '../reportResult.tsx'
import { StepButtons } from '../StepButtons.tsx'
import type { Steps } from '../StepButtons.tsx'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import type { CallAction } from './CallDialog.tsx'

interface ReviewFooterProps {
  calls: CallAction[]
  refusal(action: ActionPlan): string | undefined
  saving: boolean
  /** Whether to move on to the next record after a decision. */
  goesOn: ReturnType<typeof usePreference<boolean>>
  steps: Steps | undefined
  step(go: () => void): void
  choose(call: CallAction): Promise<void>
  close(): void
}

/** Steps to the neighbouring records, and a button for each decision. */
export function ReviewFooter({ calls, refusal, saving, goesOn, steps, step, choose, close }: ReviewFooterProps) {
  const { text } = useEngine()
  const words = useWords()
  const app = useNotices()
  return (
    <>
      {steps && (
        <div className="review-steps">
          <StepButtons steps={steps} go={step} />
          <Checkbox
            checked={goesOn.value ?? false}
            onChange={({ target }) =>
              void goesOn.save(target.checked).catch((error: unknown) => reportError(app, words, error))
            }
          >
            {words('goOn')}
          </Checkbox>
        </div>
      )}
      <Button onClick={close}>{words('close')}</Button>
      {calls.map((call) => (
        <Button
          key={call.name}
          {...refused(refusal(call))}
          danger={call.danger && refusal(call) === undefined}
          type={call.danger || refusal(call) !== undefined ? 'default' : 'primary'}
          loading={busySign(saving)}
          onClick={() => void choose(call)}
        >
          {text(call.label)}
        </Button>
      ))}
    </>
  )
}
