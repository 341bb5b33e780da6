import { useRef } from 'react'
import type { RecordData } from '../../model/model.ts'
import type { ActionHost } from '../frame.ts'
import { RequestError } from '../request.ts'

/** Reads a screen's records again after an action: the next one may begin before the screen has drawn them. */
export function useRereading(host: Pick<ActionHost, 'reload' | 'refused'>) {
  const rereading = useRef<Promise<readonly RecordData[]>>(undefined)
  const reload = () => {
    rereading.current = Promise.resolve(host.reload()).then(
      (records) => records ?? [],
      () => [],
    )
  }
  return {
    reload,
    /** After a stale refusal, show the records as they are now. */
    reloadRefused(error: unknown) {
      if (error instanceof RequestError && error.code === 409) (host.refused ?? reload)()
    },
    /** The records as they were read last, where that is newer than what is drawn. */
    current: (records: RecordData[]): RecordData[] | Promise<RecordData[]> =>
      rereading.current?.then((now) =>
        records.map(
          (record) => now.find(({ id, revision }) => id === record.id && revision! > record.revision!) ?? record,
        ),
      ) ?? records,
  }
}
