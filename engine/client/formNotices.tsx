import { Alert } from 'antd'
import { inputs } from '../expression/conditions.ts'
import type { EntityPlan, Label, RecordData } from '../model/model.ts'
import { fieldText } from './fieldText.ts'
import type { FormModel } from './form.tsx'
import { useHolds } from './form.tsx'
import { useFormWords } from './formWords.ts'
import { WidgetDisplay } from './formWidget.tsx'
import { RecordFacts } from './RecordFacts.tsx'
import { useEngine } from './view.ts'

export interface Notice {
  when: string
  kind: 'info' | 'warning' | 'error'
  title: Label
  field?: string
}

/** Bars above a form or a detail, each shown while its condition holds. */
export function Notices({ model, notices }: { model: FormModel; notices: readonly Notice[] }) {
  return (
    <>
      {notices.map((notice) => (
        <NoticeBar key={notice.when + notice.kind} model={model} notice={notice} />
      ))}
    </>
  )
}

function NoticeBar({ model, notice }: { model: FormModel; notice: Notice }) {
  const { text } = useEngine()
  const field = notice.field === undefined ? undefined : model.entity.fields[notice.field]
  if (!useHolds(model, notice.when)) return null
  return (
    <Alert
      // It describes the record's state; nothing has failed on the page.
      role="status"
      showIcon
      type={notice.kind}
      message={text(notice.title)}
      description={field && <WidgetDisplay value={model.values()[field.name]} field={field} />}
    />
  )
}

/** Says that the record may not be edited now, with its values that decide it. */
export function LockedNotice({ entity, record, when }: { entity: EntityPlan; record: RecordData; when: string }) {
  const engine = useEngine()
  const words = useFormWords()
  const facts = inputs(when, entity).flatMap((name) => {
    const field = entity.fields[name]
    const value = field && fieldText(record[name], field, engine)
    return value ? [{ label: engine.text(field.label), value }] : []
  })
  return (
    <Alert
      role="status"
      showIcon
      type="info"
      message={words('locked')}
      description={facts.length > 0 && <RecordFacts facts={facts} />}
    />
  )
}
