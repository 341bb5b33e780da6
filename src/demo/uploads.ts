import { createImportWorker } from '../../engine/server/imports/importWorker.ts'
import { reading, writing } from '../../engine/server/records/records.ts'
import type { Context } from '../../engine/server/runtime.ts'
import { createContext, findUser } from '../../engine/server/identity/session.ts'
import { storeFile } from '../../engine/server/files/storeFile.ts'
import { givenField } from '../../engine/model/model.ts'
import type { FilterValue, RecordData, Value } from '../../engine/model/model.ts'
import { workbookOf } from './workbookOf.ts'

export type Cells = Record<string, string>

/** The tools to upload files as an operator does: the records concerned, labels of choices, and the upload itself. */
export async function uploadsBy(whole: Context, user: string) {
  const { runtime } = whole
  const context = createContext(runtime, (await findUser(runtime, user))!, 'cn')
  const { entities, dictionaries } = context.derived.catalog
  const worker = createImportWorker(runtime, { log: console.error })
  return {
    context,
    async found(entity: string, filters: Record<string, FilterValue>, size = 4, sort = 'id'): Promise<RecordData[]> {
      return (await reading.list(whole, entities[entity], { page: 1, size, sort, filters })).list
    },
    choice: (entity: string, field: string, value: unknown): string =>
      dictionaries[String(entities[entity].fields[field].options.choices)].choices.find(
        (choice) => choice.value === value,
      )?.label.cn ?? '',
    /**
     * Uploads the rows with the values given for all of them, and writes the valid ones, unless they should wait for
     * confirmation. Rows about records that a small company does not have are left out.
     */
    async upload(
      batches: string,
      name: string,
      rows: readonly (Cells | undefined)[],
      { waits = false, given = {} }: { waits?: boolean; given?: Record<string, Value> } = {},
    ): Promise<void> {
      const plan = context.derived.imports.get(batches)
      const there = rows.filter((row) => row !== undefined)
      if (!plan || there.length === 0) return
      const file = {
        ...(await storeFile(context, runtime.database.kysely, name, await workbookOf(plan, there))),
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
