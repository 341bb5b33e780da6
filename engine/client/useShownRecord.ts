import { useEffect } from 'react'
import type { EntityPlan, RecordData } from '../model/model.ts'
import { fieldText } from './fieldText.ts'
import type { ScreenFrame } from './frame.ts'
import { useEngine } from './view.ts'

/**
 * Tells the frame which record the screen shows, and again whenever it is called otherwise. A new record is none yet.
 */
export function useShownRecord(
  { setRecord }: ScreenFrame,
  { name: entity, endpoint, display, fields }: EntityPlan,
  record: RecordData | null,
): void {
  const engine = useEngine()
  const id = record?.id
  const name = record && fields[display] ? fieldText(record[display], fields[display], engine) : ''
  useEffect(() => {
    if (id !== undefined) setRecord?.({ entity, endpoint, id, name })
  }, [setRecord, entity, endpoint, id, name])
}
