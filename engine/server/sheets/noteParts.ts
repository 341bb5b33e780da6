import { cellAddress } from './cellAddress.ts'
import { cellText, escapeXml } from './sheetText.ts'

/** A comment on a cell; column from 0, row from 1. */
export interface Note {
  column: number
  row: number
  text: string
}

const shapesOfBlock = 1024
const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const microsoft = 'urn:schemas-microsoft-com'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/**
 * The two parts in which a sheet stores its comments: their texts, and their boxes. Both only iterate `notes` when they
 * are read, so notes may be added until then.
 */
export const noteParts = (notes: readonly Note[]): { notes(): Generator<string>; shapes(): Generator<string> } => ({
  *notes() {
    yield `${declaration}<comments xmlns="${namespace}"><authors><author/></authors><commentList>`
    for (const { column, row, text } of notes) {
      const content = `<text><t xml:space="preserve">${escapeXml(cellText(text))}</t></text>`
      yield `<comment ref="${cellAddress(column, row)}" authorId="0">${content}</comment>`
    }
    yield '</commentList></comments>'
  },
  *shapes() {
    yield `<xml xmlns:v="${microsoft}:vml" xmlns:o="${microsoft}:office:office" xmlns:x="${microsoft}:office:excel">`
    const blocks = Array.from({ length: Math.ceil((notes.length + 1) / shapesOfBlock) }, (_, block) => block + 1)
    yield `<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${blocks.join(',')}"/></o:shapelayout>`
    yield '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">'
    yield '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'
    for (const [index, { column, row, text }] of notes.entries()) {
      const lines = text.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / 16), 1)
      const anchor = [column + 1, 15, row - 1, 2, column + 4, 15, row + Math.max(3, lines), 4].join(',')
      const place = `<x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column>`
      yield (
        `<v:shape id="_x0000_s${shapesOfBlock + 1 + index}" type="#_x0000_t202" style="position:absolute;visibility:hidden" ` +
          'fillcolor="#ffffe1" o:insetmode="auto"><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/>' +
          `${place}</x:ClientData></v:shape>`
      )
    }
    yield '</xml>'
  },
})
