import { useNotices } from '../notices.tsx'
import { Button } from 'antd'
import type { ActionPlan, RecordData } from '../../model/model.ts'
import { type ActionHost, useClient } from '../frame.ts'
import { reportError } from '../reportResult.tsx'
import { useWords } from '../words.ts'
import { useListing } from './useListing.ts'

/** Seconds that a refusal stays when there is something to press in it. */
const readingTime = 10

/**
 * Says that the permission for an action is missing (specification, section 6), and offers to remind those who have it
 * of the record.
 */
export function useRefusing({ entity, bundle }: ActionHost) {
  const { request } = useClient()
  const words = useWords()
  const app = useNotices()
  const listing = useListing()

  return (action: ActionPlan, records: readonly RecordData[]) => {
    const { message } = app
    const roles = bundle.holders?.[action.permission] ?? []
    const called = calledName(entity.endpoint, action)
    const [record] = records
    if (called === undefined || records.length !== 1 || roles.length === 0)
      return void message.error(words('noPermission'))
    const key = `refused ${called} ${record.id}`
    const remind = async () => {
      message.destroy(key)
      try {
        const body = { entity: entity.name, action: called, id: record.id }
        const { asked } = await request.post<{ asked: number }>('/messages/remind', body)
        void message.success(words('reminded', { n: asked }))
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

/** The name of the transition or action that a call runs. */
function calledName(endpoint: string, { do: what }: ActionPlan): string | undefined {
  const prefix = `${endpoint}/`
  return what.kind === 'call' && what.path.startsWith(prefix) ? what.path.slice(prefix.length) : undefined
}
