import { useNotices } from '../notices.tsx'
import type { ActionPlan, CallResult, RecordData } from '../../model/model.ts'
import { callAndFollow } from '../callAndFollow.ts'
import { fieldText } from '../fieldText.ts'
import { useClient } from '../frame.ts'
import type { ActionHost } from '../frame.ts'
import { reportError, reportResult } from '../reportResult.tsx'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import { callOf, type Given } from './chosen.ts'

interface Sent extends Given {
  /** The message after success. */
  done?: string
  /** The labels of the given fields, where an action changes only those. */
  changed?: string
}

/** Sends calls and downloads of actions, and reports their results. */
export function useSending({ entity, show, reload }: ActionHost) {
  const { request, announce } = useClient()
  const engine = useEngine()
  const { text, language } = engine
  const words = useWords()
  const app = useNotices()

  async function showPasswords(passwords: NonNullable<CallResult['passwords']>, records: RecordData[]) {
    const nameOf = (id: number) =>
      String(records.find((record) => record.id === id)?.[entity.code ?? entity.display] ?? id)
    const { showPasswords: show } = await import('../showPasswords.tsx')
    await show(
      app,
      words,
      passwords.map(({ id, password }) => ({ name: nameOf(id), password })),
    )
  }

  /** What was done, and to which record or how many; undefined if the record's name is empty or hidden. */
  function doneTo(action: ActionPlan, records: RecordData[], n: number | undefined): string | undefined {
    const label = text(action.label)
    if (records.length === 0 && n !== undefined) {
      const record = words('recordsOf', { entity: text(entity.label), n })
      return n === 0 ? words('nothingDone', { label }) : words('doneTo', { label, record })
    }
    const [record] = records
    const field = entity.fields[entity.display]
    if (records.length !== 1 || !field || (record[field.name] ?? '') === '') return undefined
    return words('doneTo', { label, record: fieldText(record[field.name], field, engine) })
  }

  async function send(
    action: ActionPlan,
    path: string,
    records: RecordData[],
    { values, seen, ...messages }: Sent = {},
  ) {
    const call = callOf(action, entity.name, records, { values, seen })
    const result = await callAndFollow<CallResult | null>({ app, language, request }, path, call)
    const summary = result?.summary && text(result.summary)
    reportResult(app, words, {
      entity,
      records,
      result,
      ...messages,
      done: messages.done ?? doneTo(action, records, result?.succeeded),
      ...(summary && { summary }),
    })
    announce(entity.name)
    const hasMade = records.length === 0 && (result?.succeeded ?? 0) > 0
    show?.(result?.show, (hasMade && values) || {})
    reload()
    for (const { url } of result?.files ?? []) {
      try {
        await request.download(url.replace(/^\/api/, ''))
      } catch (error) {
        // The action is done: if its dialog stayed open, it would be sent again.
        reportError(app, words, error)
      }
    }
    if (result?.passwords?.length) await showPasswords(result.passwords, records)
  }

  async function download(path: string, parameters: Record<string, unknown> | undefined, done = words('downloaded')) {
    const key = `download:${path}`
    void app.message.open({ key, type: 'loading', content: words('exporting'), duration: 0 })
    try {
      await request.download(path, parameters)
      void app.message.success({ key, content: done })
    } catch (error) {
      app.message.destroy(key)
      throw error
    }
  }
  return { send, download }
}
