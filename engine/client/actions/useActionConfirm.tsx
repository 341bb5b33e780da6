import { useNotices } from '../notices.tsx'
import type { ReactNode } from 'react'
import type { ActionPlan, EntityPlan, Outlook, RecordData, Value } from '../../model/model.ts'
import { callAndFollow } from '../callAndFollow.ts'
import { useClient } from '../frame.ts'
import { factsOf } from '../factsOf.ts'
import { RecordFacts } from '../RecordFacts.tsx'
import { questionOf } from '../questionOf.ts'
import { useEngine } from '../view.ts'
import { useConfirm } from '../useConfirm.ts'
import { useWords } from '../words.ts'
import { answersOf } from './answersOf.ts'
import { chosen } from './chosen.ts'
import { OutlookFacts } from './OutlookFacts.tsx'

/** Asks the user to confirm before an action runs. */
export function useActionConfirm(entity: EntityPlan) {
  const { request } = useClient()
  const engine = useEngine()
  const { text, language } = engine
  const words = useWords()
  const app = useNotices()
  const confirm = useConfirm()

  const facts = (records: RecordData[]) => factsOf(words, engine, { entity, records })
  const question = ({ confirm }: ActionPlan, records: RecordData[]): string | undefined =>
    confirm && questionOf(confirm, entity, records, engine)
  const ask = (action: ActionPlan, shown: { title: string; content: ReactNode; width?: string }) =>
    confirm({
      ...shown,
      ...answersOf(text(action.label), words),
      okButtonProps: { danger: action.danger },
    })

  return {
    /** The facts of the records, for the action's dialog. */
    facts,
    /** The action's question with its parameters filled in. */
    question,
    /** Asks the action's question, if it has one. */
    async confirm(action: ActionPlan, records: RecordData[]): Promise<boolean> {
      const deleting = words(records.length > 1 ? 'deleteManyConfirm' : 'deleteConfirm', { n: records.length })
      const title = question(action, records) ?? (action.do.kind === 'delete' ? deleting : undefined)
      if (title === undefined) return true
      return await ask(action, { title, content: records.length > 0 && <RecordFacts facts={facts(records)} /> })
    },
    /** Shows what a call would lead to, if its action foresees that. @returns whether to proceed. */
    async agreed(action: ActionPlan, records: RecordData[], values: Record<string, Value> = {}): Promise<boolean> {
      const what = action.do
      if (what.kind !== 'call' || what.foresee === undefined) return true
      const call = { ...chosen(action, entity.name, records), values }
      const outlook = await callAndFollow<Outlook>({ app, language, request }, what.foresee, call)
      // Cancelled before the outlook was known.
      if (outlook.facts === undefined) return false
      const content = (
        <>
          <RecordFacts facts={facts(records)} />
          <OutlookFacts
            outlook={outlook}
            text={text}
            counted={(label, n) => words('counted', { label, n })}
            others={(n) => words('others', { n })}
          />
        </>
      )
      return await ask(action, { title: text(action.label), width: 'min(640px, 100%)', content })
    },
  }
}
