import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { Refusal } from '../errors.ts'
import { openArchive } from './archive.ts'
import { readDateStyles } from './dateStyles.ts'
import { markerSheet } from './markerSheet.ts'
import { readRows } from './readRows.ts'
import { refuseOtherFiles } from './refuseOtherFiles.ts'
import { sheetLimits } from './sheetRow.ts'
import type { SheetLimits, SheetRow } from './sheetRow.ts'
import { temporaryFile } from './temporaryFile.ts'
import { readTexts } from './textTable.ts'
import { readWorkbook } from './workbook.ts'

export type { CellValue, SheetLimits, SheetRow } from './sheetRow.ts'

export interface OpenedSheet {
  /** The marker that `writeTemplate` or `writeFailures` put into the file; null in any other file. */
  marker: string | null
  /** The non-empty rows, read again by each call. Refuses a row or cell beyond the limits when it is reached. */
  rows(): AsyncGenerator<SheetRow>
  /** Releases the file; must be called however reading ended. */
  close(): Promise<void>
}

/** Any file may have as many characters in its cells, however small it is. */
const fewCharacters = 2 ** 20

/**
 * Opens the first visible sheet of an uploaded workbook. Memory is bounded whatever the file contains: rows are
 * streamed, without reading ahead. Refuses anything that is not a complete .xlsx workbook, saying what was found and
 * what to do.
 */
export async function openSheet(content: Readable, limits: Partial<SheetLimits> = {}): Promise<OpenedSheet> {
  const all = { ...sheetLimits, ...limits }
  const { archive, size } = await temporaryFile(content, all.bytes, async (file) => {
    await refuseOtherFiles(file)
    return { archive: await openArchive(file, all), size: (await stat(file)).size }
  })
  try {
    const workbook = await readWorkbook(archive)
    const sheet = workbook.sheets.find(({ name, visible }) => visible && name !== markerSheet)
    if (!sheet) throw new Refusal('sheetMissing')
    const context = {
      texts: await readTexts(archive, workbook.texts, all),
      dates: await readDateStyles(archive, workbook.styles),
      from1904: workbook.from1904,
      limits: all,
      characters: Math.min(all.cellCharacters, Math.max(fewCharacters, size * all.ratio)),
    }
    const marked = workbook.sheets.find(({ name }) => name === markerSheet)
    let marker: string | null = null
    if (marked) {
      for await (const { number, cells } of readRows(archive, marked.part, {
        ...context,
        limits: { ...all, columns: Infinity },
      })) {
        marker = number === 1 && typeof cells[0] === 'string' ? cells[0] : null
        break
      }
    }
    let closed = false
    return {
      marker,
      rows() {
        if (closed) throw new Error('The sheet is closed')
        return readRows(archive, sheet.part, context)
      },
      async close() {
        if (!closed) archive.close()
        closed = true
      },
    }
  } catch (error) {
    archive.close()
    throw error
  }
}
