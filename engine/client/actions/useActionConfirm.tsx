import type { ActionPlan, EntityPlan, RecordData } from '../../model/model.ts'
import { factsOf } from '../factsOf.ts'
import { RecordFacts } from '../RecordFacts.tsx'
import { questionOf } from '../questionOf.ts'
import { useEngine } from '../view.ts'
import { useConfirm } from '../useConfirm.ts'
import { useWords } from '../words.ts'
import { answersOf } from './answersOf.ts'
import type { CallAction } from './CallDialog.tsx'
import { callOf, type Given } from './chosen.ts'
import { OutlookFacts } from './OutlookFacts.tsx'
import { PreviewAll } from './PreviewAll.tsx'
import { usePreview } from './usePreview.ts'

/** Asks the user to confirm before an action runs. */
export function useActionConfirm(entity: EntityPlan) {
  const engine = useEngine()
  const { text } = engine
  const words = useWords()
  const confirm = useConfirm()

  const facts = (records: RecordData[]) => factsOf(words, engine, { entity, records })
  /** The action's question with its parameters filled in. */
  const question = ({ confirm }: ActionPlan, records: RecordData[]): string | undefined =>
    confirm && questionOf(confirm, entity, records, engine)
  const { preview, withdraw } = usePreview()
  const showConfirm = (action: ActionPlan, shown: Parameters<typeof confirm>[0]) =>
    confirm({
      ...shown,
      ...answersOf(text(action.label), words),
      okButtonProps: { danger: action.danger },
    })

  return {
    /** The facts of the records, for the action's dialog. */
    facts,
    /** The question to put over the fields of an action; with an outlook it is asked there. */
    question: (action: CallAction, records: RecordData[]) =>
      action.do.foresee === undefined ? question(action, records) : undefined,
    /** Asks the action's question, if it has one. */
    async confirm(action: ActionPlan, records: RecordData[]): Promise<boolean> {
      const deleting = words(records.length > 1 ? 'deleteManyConfirm' : 'deleteConfirm', { n: records.length })
      const title = question(action, records) ?? (action.do.kind === 'delete' ? deleting : undefined)
      if (title === undefined) return true
      return await showConfirm(action, { title, content: records.length > 0 && <RecordFacts facts={facts(records)} /> })
    },
    /** Shows what a call would lead to, if its action foresees that. @returns whether to proceed. */
    async agreed(action: ActionPlan, records: RecordData[], given: Given = {}): Promise<boolean> {
      const what = action.do
      if (what.kind !== 'call' || what.foresee === undefined) return true
      const call = callOf(action, entity.name, records, { values: {}, ...given })
      for (let thorough = false; ;) {
        const outlook = await preview(what.foresee, thorough ? { ...call, thorough } : call)
        if (!outlook) return false
        const isMore = outlook.partial && !thorough
        thorough = false
        const content = (refuse: () => void) => (
          <>
            <RecordFacts facts={facts(records)} />
            <OutlookFacts
              outlook={outlook}
              text={text}
              counted={(label, n) => words('counted', { label, n })}
              others={(n) => words('others', { n })}
            />
            {isMore && (
              <PreviewAll
                text={text}
                onClick={() => {
                  thorough = true
                  refuse()
                }}
              />
            )}
          </>
        )
        // Enter must not confirm what has not been read.
        const shown = { width: 'min(640px, 100%)', content, autoFocusButton: 'cancel' as const }
        const isAgreed = await showConfirm(action, { title: question(action, records) ?? text(action.label), ...shown })
        if (isAgreed || !thorough) return isAgreed
      }
    },
    withdraw,
  }
}
