import type { Block, Inline } from './document.ts'

interface Letter {
  title: string
  /** At the top right. */
  number?: string
  blocks: readonly Block[]
}

/** Word has its own names for fonts. */
const font = { ascii: 'Arial', eastAsia: 'SimSun' }

/** The same document as from `printPdf`, to be edited in a word processor; its library is loaded on first use. */
export async function printWord({ title, number, blocks }: Letter): Promise<Buffer> {
  const { AlignmentType, Document, Packer, Paragraph, TextRun } = await import('docx')
  const runs = (inlines: readonly Inline[], around: Omit<Inline, 'text'> = {}): InstanceType<typeof TextRun>[] =>
    inlines.flatMap((inline) => {
      const { text, ...marks } = { ...around, ...inline }
      if (typeof text !== 'string') return runs(text, marks)
      return text.split('\n').map(
        (line, index) =>
          new TextRun({
            text: line,
            ...(index > 0 && { break: 1 }),
            ...(marks.bold && { bold: true }),
            ...(marks.italics && { italics: true }),
            ...(marks.decoration === 'underline' && { underline: {} }),
            ...(marks.decoration === 'lineThrough' && { strike: true }),
            ...(marks.fontSize !== undefined && { size: marks.fontSize * 2 }),
          }),
      )
    })
  const paragraphs = (block: Block, bullet?: string): InstanceType<typeof Paragraph>[] => {
    if ('ul' in block) return block.ul.flatMap((item) => paragraphs(item, '• '))
    if ('ol' in block) return block.ol.flatMap((item, index) => paragraphs(item, `${index + 1}. `))
    if (!('text' in block)) return []
    const { text, bold, fontSize, alignment } = block
    return [
      new Paragraph({
        alignment: alignment === 'center' ? AlignmentType.CENTER : AlignmentType.BOTH,
        spacing: { after: 160, line: 360 },
        children: [
          ...(bullet === undefined ? [] : [new TextRun({ text: bullet })]),
          ...runs(text, { ...(bold && { bold }), ...(fontSize !== undefined && { fontSize }) }),
        ],
      }),
    ]
  }
  const head =
    number === undefined
      ? []
      : [new Paragraph({ alignment: AlignmentType.RIGHT, children: [new TextRun({ text: number, size: 18 })] })]
  const document = new Document({
    title,
    styles: { default: { document: { run: { font, size: 24 } } } },
    sections: [{ children: [...head, ...blocks.flatMap((block) => paragraphs(block))] }],
  })
  return Packer.toBuffer(document)
}
