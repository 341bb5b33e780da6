import { useEffect } from 'react'
import type { EntityPlan, RecordData } from '../model/model.ts'
import { fieldText } from './fieldText.ts'
import type { ScreenFrame } from './frame.ts'
import { useEngine } from './view.ts'

/**
 * Reports the record that the screen shows to the frame, again whenever its name changes. A new record is not reported.
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
