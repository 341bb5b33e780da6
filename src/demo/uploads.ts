import { createImportWorker } from '../../engine/server/imports/importWorker.ts'
import { reading, writing } from '../../engine/server/records.ts'
import type { Context } from '../../engine/server/runtime.ts'
import { createContext, findUser } from '../../engine/server/session.ts'
import { storeFile } from '../../engine/server/storeFile.ts'
import { givenField } from '../../engine/schema/model.ts'
import type { FilterValue, RecordData, Value } from '../../engine/schema/model.ts'
import { workbookOf } from './workbookOf.ts'

export type Cells = Record<string, string>

/**
 * What it takes to upload files as an operator does: the records that they are about, the words of choices, and the
 * upload itself.
 */
export async function uploadsBy(whole: Context, user: string) {
  const { runtime } = whole
  const context = createContext(runtime, (await findUser(runtime, user))!, 'cn')
  const { entities, dictionaries } = context.derived.catalog
  const worker = createImportWorker(runtime, { log: console.error })
  return {
    context,
    async found(entity: string, filters: Record<string, FilterValue>, size = 4): Promise<RecordData[]> {
      return (await reading.list(whole, entities[entity], { page: 1, size, sort: 'id', filters })).list
    },
    choice: (entity: string, field: string, value: unknown): string =>
      dictionaries[String(entities[entity].fields[field].options.choices)].choices.find((one) => one.value === value)
        ?.label.cn ?? '',
    /**
     * Uploads the rows with what is given for all of them, and writes what is good of them, unless they are to wait for
     * somebody to say so.
     */
    async upload(
      batches: string,
      name: string,
      rows: Cells[],
      { waits = false, given = {} }: { waits?: boolean; given?: Record<string, Value> } = {},
    ): Promise<void> {
      const plan = context.derived.imports.get(batches)
      if (!plan || rows.length === 0) return
      const file = {
        ...(await storeFile(context, runtime.database.kysely, name, await workbookOf(plan, rows))),
        status: 'success' as const,
      }
      const { id } = await writing.create(context, entities[batches], {
        values: {
          file: [file],
          ...Object.fromEntries(Object.entries(given).map(([field, value]) => [givenField(field), value])),
        },
      })
      await worker.drain()
      const { status, createCount, updateCount } = await reading.detail(context, entities[batches], id)
      if (waits || status !== 'checked' || Number(createCount) + Number(updateCount) === 0) return
      await writing.call(context, entities[batches], 'write', { id })
      await worker.drain()
    },
  }
}
