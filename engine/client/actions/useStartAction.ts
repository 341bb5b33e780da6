import { useNotices } from '../notices.tsx'
import type { ActionPlan, PrepareResult, RecordData } from '../../model/model.ts'
import { fill, fillLink } from '../fill.ts'
import { useClient } from '../frame.ts'
import type { ActionHost } from '../frame.ts'
import { useStable } from '../useStable.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import type { Opened } from './ActionDialogs.tsx'
import { chosen } from './chosen.ts'
import type { useActionConfirm } from './useActionConfirm.tsx'
import type { useSending } from './useSending.ts'

type Kind = ActionPlan['do']['kind']

type Begin<K extends Kind> = (
  action: ActionPlan & { do: Extract<ActionPlan['do'], { kind: K }> },
  records: RecordData[],
  open: (opened: Opened) => void,
) => void | Promise<void>

interface Means extends Pick<ReturnType<typeof useSending>, 'send' | 'download'> {
  asking: ReturnType<typeof useActionConfirm>
}

/** Whether the action's first step opens a dialog or drawer. */
export const opensDialog = ({ do: what }: ActionPlan): boolean =>
  what.kind === 'drawer' ||
  what.kind === 'review' ||
  (what.kind === 'call' && (what.prepare !== undefined || what.form.length > 0))

/** The first step of each kind of action: navigate, open a dialog, download, or send at once. */
export function useStartAction(host: ActionHost, { asking, send, download }: Means): Begin<Kind> {
  const { entity, frame } = host
  const { request } = useClient()
  const { text } = useEngine()
  const words = useWords()
  const app = useNotices()
  /** By then the user may have gone elsewhere. */
  const goIfInFront = useStable((to: string) => {
    if (frame.active) frame.navigate(to)
  })

  const begin: { [K in Kind]: Begin<K> } = {
    link({ do: { to } }, records) {
      const route = fillLink(to, records[0] ?? {})
      if (route !== undefined) goIfInFront(route)
    },
    drawer(action, records, open) {
      const { screen, query } = action.do
      const known = { ...records[0], ids: records.map(({ id }) => id).join(',') }
      const filled = Object.entries(query).map(([name, value]) => [name, fill(value, known) ?? ''])
      open({
        kind: 'drawer',
        action,
        record: records.length === 1 ? records[0] : undefined,
        screen,
        query: { ...(records.length === 0 && host.preset), ...Object.fromEntries(filled) },
      })
    },
    review: (action, [record], open) => open({ kind: 'review', action, record }),
    export: ({ do: { path } }, records) =>
      download(path, host.exportQuery?.(records) ?? { ids: records.map(({ id }) => id).join(',') }, words('exported')),
    download({ do: { path, query, done } }, records) {
      const filled = Object.entries(query).map(([name, value]) => [name, fill(value, records[0] ?? {})])
      return download(path, Object.fromEntries(filled), done && text(done))
    },
    async delete(action, records) {
      if (await asking.confirm(action, records))
        return send(action, action.do.path, records, { done: words('deleted') })
      void app.message.info(words('deleteCancelled'))
    },
    async call(action, records, open) {
      const { prepare, form, foresee, path } = action.do
      if (prepare !== undefined) {
        const { values, seen } = await request.post<PrepareResult>(prepare, chosen(action, entity.name, records))
        return open({ kind: 'call', action, records, initial: values, seen })
      }
      if (form.length > 0) return open({ kind: 'call', action, records })
      if (await (foresee === undefined ? asking.confirm : asking.agreed)(action, records))
        return send(action, path, records, { values: {} })
    },
  }
  return (action, records, open) => (begin[action.do.kind] as Begin<Kind>)(action, records, open)
}
