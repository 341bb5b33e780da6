import { writeXlsx } from 'hucre/xlsx'
import type { ImportPlan } from '../../engine/model/model.ts'

/** A file as an operator fills it in: the headers of the import, then rows by field. */
export const workbookOf = (
  plan: ImportPlan,
  rows: readonly Record<string, string>[],
  headers = plan.columns.map(({ label }) => label.cn),
): Promise<Uint8Array> =>
  writeXlsx({
    sheets: [
      {
        name: plan.title.cn,
        rows: [headers, ...rows.map((row) => plan.columns.map(({ field }) => row[field] ?? null))],
      },
    ],
  })
