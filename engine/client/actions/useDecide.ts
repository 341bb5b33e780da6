import { useNotices } from '../notices.tsx'
import { useState } from 'react'
import type { ActionPlan, RecordData, Value } from '../../model/model.ts'
import { reportError } from '../reportResult.tsx'
import { RequestError } from '../RequestError.ts'
import { useWords } from '../words.ts'
import type { CallAction } from './CallDialog.tsx'
import type { CallForm } from './useCallForm.tsx'

export interface Decisions {
  /** Whether the user has the permission; if not, says so to the user. */
  allowed(this: void, action: ActionPlan): boolean
  /** Asks the call's question, if it has one. */
  confirm(this: void, action: ActionPlan, records: RecordData[]): Promise<boolean>
  perform(this: void, action: CallAction, records: RecordData[], values: Record<string, Value>): Promise<boolean>
  /** The outlook that is being loaded is no longer wanted. */
  withdraw(this: void): void
}

interface Deciding extends Decisions {
  record: RecordData
  /** Goes on to the next record after a decision; if absent, the dialog closes. */
  next: (() => void) | undefined
}

/** Carries out a decision on one record: prompts for its fields or asks its question, sends it, and goes on. */
export function useDecide({ record, allowed, confirm, perform, withdraw, next }: Deciding) {
  const words = useWords()
  const app = useNotices()
  const [decision, setDecision] = useState<CallAction>()
  const [open, setOpen] = useState(true)
  const [saving, setSaving] = useState(false)
  const back = () => {
    withdraw()
    setDecision(undefined)
  }
  const close = () => {
    withdraw()
    setOpen(false)
  }
  const step = (go: () => void) => {
    back()
    go()
  }

  async function run(call: CallAction, values: Record<string, Value>, refuse?: CallForm['refuse']) {
    setSaving(true)
    try {
      if (!(await perform(call, [record], values))) return
      if (next) step(next)
      else setOpen(false)
    } catch (error) {
      if (!(error instanceof RequestError && refuse?.(error.errors))) reportError(app, words, error)
    } finally {
      setSaving(false)
    }
  }
  async function choose(call: CallAction) {
    if (!allowed(call)) return
    if (call.do.form.length > 0) setDecision(call)
    else if (call.do.foresee !== undefined || (await confirm(call, [record]))) await run(call, {})
  }
  return { open, decision, saving, run, choose, step, back, close }
}
