import path from 'node:path'
import { Refusal } from '../errors.ts'
import type { Archive } from './archive.ts'
import { XmlScanner, attribute } from './xmlScanner.ts'
import type { XmlHandlers } from './xmlScanner.ts'

/** The parts of a workbook, named as in `Archive`. */
export interface Workbook {
  sheets: { name: string; visible: boolean; part: string }[]
  texts?: string
  styles?: string
  /** Days are counted from 1904, as on old Macintoshes. */
  from1904: boolean
}

const longestPart = 2 ** 25

/** Reads all of a small part. Refuses one that is missing, broken, or longer than any workbook needs. */
export async function scanPart(archive: Archive, part: string, handlers: XmlHandlers): Promise<void> {
  const scanner = new XmlScanner(handlers)
  let length = 0
  for await (const piece of archive.text(part)) {
    length += piece.length
    if (length > longestPart) throw new Refusal('sheetUnpacked')
    scanner.write(piece)
  }
  scanner.end()
}

/** Reads the structure of a workbook; refuses any other kind of document. */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  const main = (await relationsOf(archive, '')).find(({ type }) => type === 'officeDocument')?.part
  if (main === undefined || !archive.has(main) || !main.toLowerCase().endsWith('.xml')) throw new Refusal('sheetBook')
  const relations = await relationsOf(archive, main)
  const workbook: Workbook = {
    sheets: [],
    texts: relations.find(({ type }) => type === 'sharedStrings')?.part,
    styles: relations.find(({ type }) => type === 'styles')?.part,
    from1904: false,
  }
  const parts = new Map<string | undefined, string>()
  for (const { id, type, part } of relations) if (type === 'worksheet' && !parts.has(id)) parts.set(id, part)
  let root: string | undefined
  await scanPart(archive, main, {
    open(name, attributes) {
      root ??= name
      if (name === 'workbookPr') workbook.from1904 = ['1', 'true'].includes(attribute(attributes, 'date1904') ?? '')
      if (name !== 'sheet') return
      const part = parts.get(attribute(attributes, 'id'))
      if (part === undefined) return
      const visible = (attribute(attributes, 'state') ?? 'visible') === 'visible'
      workbook.sheets.push({ name: attribute(attributes, 'name') ?? '', visible, part })
    },
  })
  if (root !== 'workbook') throw new Refusal('sheetBook')
  return workbook
}

/** The targets of a part's relationships, relative to the archive; for '' those of the whole archive. */
async function relationsOf(archive: Archive, part: string): Promise<{ id: string; type: string; part: string }[]> {
  const { dir, base } = path.posix.parse(part)
  const relations = path.posix.join(dir, '_rels', `${base}.rels`)
  const found: { id: string; type: string; part: string }[] = []
  if (!archive.has(relations)) return found
  await scanPart(archive, relations, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const target = attribute(attributes, 'Target') ?? ''
      const type = attribute(attributes, 'Type') ?? ''
      found.push({
        id: attribute(attributes, 'Id') ?? '',
        type: type.slice(type.lastIndexOf('/') + 1),
        part: target.startsWith('/') ? target.slice(1) : path.posix.join(dir, target),
      })
    },
  })
  return found
}
