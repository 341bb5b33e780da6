import { useNotices } from '../notices.tsx'
import { Button } from 'antd'
import { isRemindable } from '../../model/model.ts'
import type { ActionPlan, RecordData } from '../../model/model.ts'
import { type ActionHost, useClient } from '../frame.ts'
import { reportError } from '../reportResult.tsx'
import { useWords } from '../words.ts'
import { useListFormat } from './useListFormat.ts'

/** Seconds that a refusal stays when there is something to press in it. */
const readingTime = 10

/**
 * Says that the permission for an action is missing (specification, section 6), and offers to remind those who have it
 * of the record.
 */
export function useReportRefusal({ entity, bundle }: ActionHost) {
  const { request } = useClient()
  const words = useWords()
  const app = useNotices()
  const listing = useListFormat()

  return (action: ActionPlan, records: readonly RecordData[]) => {
    const { message } = app
    const roles = bundle.holders?.[action.permission] ?? []
    const [record] = records
    if (!isRemindable(action) || records.length !== 1 || roles.length === 0)
      return void message.error(words('noPermission'))
    const reminder = { screen: bundle.plan.name, entity: entity.name, action: action.name, id: record.id }
    const key = `refused ${JSON.stringify(reminder)}`
    const remind = async () => {
      message.destroy(key)
      try {
        const { reminded: n } = await request.post<{ reminded: number }>('/messages/remind', reminder)
        void message.success(words('reminded', { n }))
      } catch (error) {
        reportError(app, words, error)
      }
    }
    void message.error({
      key,
      duration: readingTime,
      content: (
        <>
          <span>{words('noPermission')}</span>
          <Button type="link" size="small" onClick={() => void remind()}>
            {words('remind', { roles: listing(roles) })}
          </Button>
        </>
      ),
    })
  }
}
