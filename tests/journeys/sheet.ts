import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readXlsx } from 'hucre/xlsx'
import type { Download } from 'playwright-core'

/** The cells of a downloaded workbook's first sheet, row by row. */
export async function readSheet(download: Download): Promise<unknown[][]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'formwork-sheet-'))
  try {
    const file = path.join(folder, 'sheet.xlsx')
    await download.saveAs(file)
    return (await readXlsx(readFileSync(file))).sheets[0].rows as unknown[][]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
