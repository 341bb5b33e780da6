import type { Block } from './document.ts'
import { layOut, tooLarge } from './layOut.ts'

/** A printed document. */
interface Paper {
  title: string
  size: 'a4' | 'a5'
  landscape?: boolean
  /** At the top right. */ number?: string
  blocks: readonly Block[]
}

/** A table with thin horizontal and no vertical lines. */
function drawn(block: Block): object {
  if ('cells' in block) return drawnGrid(block)
  if (!('rows' in block)) return block
  const body = block.rows.map((row) => {
    const [cells, bold] = Array.isArray(row) ? [row, false] : [row.cells, row.strong]
    return [
      { text: cells[0], bold },
      { text: cells[1], bold, alignment: 'right' },
    ]
  })
  return { table: { widths: ['*', 'auto'], body }, layout: 'lightHorizontalLines', margin: [0, 0, 0, 12] }
}

/** Many columns: a header repeated on every page, small type, figures on the right. */
function drawnGrid({ head, cells, texts, total = false }: Extract<Block, { cells: string[][] }>): object {
  const line = (row: string[], bold: boolean) =>
    row.map((text, column) => ({ text, bold, ...(column >= texts && { alignment: 'right' }) }))
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: head.map((_, column) => (column < texts ? 'auto' : '*')),
      body: [line(head, true), ...cells.map((row, index) => line(row, total && index === cells.length - 1))],
    },
    layout: 'lightHorizontalLines',
    fontSize: 8,
    lineHeight: 1.1,
    margin: [0, 4, 0, 12],
  }
}

/** Some hundred pages of figures, which take most of a minute to lay out. */
const mostCells = 200_000
const cellsOf = (block: Block): number => ('cells' in block ? block.cells.length * block.head.length : 0)

/** @throws Refusal notAllowed if it is too large. */
export async function printPdf({ title, size, landscape = false, number, blocks }: Paper): Promise<Buffer> {
  if (blocks.reduce((sum, block) => sum + cellsOf(block), 0) > mostCells) throw tooLarge()
  return layOut({
    info: { title },
    pageSize: size.toUpperCase(),
    pageOrientation: landscape ? 'landscape' : 'portrait',
    pageMargins: landscape ? [36, 42, 36, 42] : size === 'a5' ? [42, 48, 42, 48] : [64, 72, 64, 72],
    content: [
      ...(number === undefined
        ? []
        : [{ text: number, alignment: 'right', fontSize: 9, color: '#595959', margin: [0, 0, 0, 18] }]),
      ...blocks.map(drawn),
    ],
    defaultStyle: { font: 'Noto', fontSize: size === 'a5' ? 10 : 12, lineHeight: 1.5 },
    styles: {
      paragraph: { margin: [0, 0, 0, 8] },
      heading: { margin: [0, 8, 0, 16] },
      list: { margin: [0, 0, 0, 8] },
      blockquote: { margin: [20, 0, 0, 8], color: '#595959' },
      pre: { margin: [0, 0, 0, 8] },
    },
  })
}
