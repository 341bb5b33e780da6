import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import { openSheet } from './readSheet.ts'
import type { SheetLimits, SheetRow } from './readSheet.ts'
import { zipParts } from './zipParts.ts'
import type { ZipPart } from './zipParts.ts'

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export async function zip(parts: Record<string, ZipPart['content']>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of zipParts(Object.entries(parts).map(([name, content]) => ({ name, content }))))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The parts of a workbook with one sheet, around rows given as XML. */
export const book = (
  rows: ZipPart['content'],
  {
    state = 'visible',
    workbookProperties = '',
    more = {},
  }: { state?: string; workbookProperties?: string; more?: Record<string, string[]> } = {},
): Record<string, ZipPart['content']> => ({
  '_rels/.rels': [
    `<Relationships><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  'xl/workbook.xml': [
    `<workbook xmlns:r="${relations}">${workbookProperties}<sheets><sheet name="Data" sheetId="1" state="${state}" r:id="rId1"/></sheets></workbook>`,
  ],
  'xl/_rels/workbook.xml.rels': [
    `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${relations}/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  ],
  'xl/worksheets/sheet1.xml': around(rows),
  ...more,
})

async function* around(rows: ZipPart['content']) {
  yield '<worksheet><sheetData>'
  yield* rows
  yield '</sheetData></worksheet>'
}

export const collected = <T>(given: AsyncIterable<T>): Promise<T[]> => Readable.from(given).toArray() as Promise<T[]>

export const opened = (bytes: Uint8Array, limits?: Partial<SheetLimits>) =>
  openSheet(Readable.from([Buffer.from(bytes)]), limits)

export async function allRows(bytes: Uint8Array, limits?: Partial<SheetLimits>): Promise<SheetRow[]> {
  const sheet = await opened(bytes, limits)
  try {
    return await collected(sheet.rows())
  } finally {
    await sheet.close()
  }
}
