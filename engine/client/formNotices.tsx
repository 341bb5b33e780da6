import { Alert } from 'antd'
import type { Label } from '../model/model.ts'
import type { FormModel } from './form.tsx'
import { useHolds } from './form.tsx'
import { WidgetDisplay } from './formWidget.tsx'
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
