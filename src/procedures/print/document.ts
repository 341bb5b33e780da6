import { ElementType, parseDocument } from 'htmlparser2'

/** The elements of a page in pdfmake's form, limited to those that rich text has. */
export type Inline = {
  text: string | Inline[]
  bold?: boolean
  italics?: boolean
  decoration?: 'underline' | 'lineThrough'
  link?: string
  fontSize?: number
}
export type Block =
  | {
      text: Inline[]
      style: string
      margin?: [number, number, number, number]
      fontSize?: number
      bold?: boolean
      alignment?: 'center'
      pageBreak?: 'before'
    }
  | { rows: Row[] }
  | {
      head: string[]
      cells: string[][]
      /** The number of leading text columns: the others are figures. */ texts: number
      /** The last row is the total of the others. */ total?: boolean
    }
  | { ul: Block[]; style: string }
  | { ol: Block[]; style: string }
  | { canvas: object[] }
  | { image: string; fit: [number, number] }

/** A line of a table: a label and, on the right, an amount; `strong` if it is a total of the lines above. */
export type Row = [string, string] | { cells: [string, string]; strong: true }

type Node = ReturnType<typeof parseDocument>['children'][number]
type Marks = Omit<Inline, 'text'>

const marks: Readonly<Record<string, Marks>> = {
  strong: { bold: true },
  b: { bold: true },
  em: { italics: true },
  i: { italics: true },
  u: { decoration: 'underline' },
  s: { decoration: 'lineThrough' },
}
const headings: Readonly<Record<string, number>> = { h1: 22, h2: 20, h3: 14, h4: 12 }

/**
 * Rich text as blocks of a page. Headings are centred, like the title of a letter.
 * @param pictures address → the picture as a data URL
 */
export function blocksOf(html: string, pictures: Readonly<Record<string, string>> = {}): Block[] {
  const blocks: Block[] = []
  let line: Inline[] = []
  const flush = () => {
    if (line.length > 0) blocks.push({ text: line, style: 'paragraph' })
    line = []
  }
  for (const node of parseDocument(html).children) {
    const name = nameOf(node)
    const block = name === undefined ? undefined : blockOf(name, node, pictures)
    if (!block) {
      line.push(...inlinesOf(node, {}))
      continue
    }
    flush()
    blocks.push(...block)
  }
  flush()
  return blocks
}

function blockOf(name: string, node: Node, pictures: Readonly<Record<string, string>>): Block[] | undefined {
  if (name === 'img')
    return pictures[attribute(node, 'src')] ? [{ image: pictures[attribute(node, 'src')], fit: [480, 480] }] : []
  if (name in headings)
    return [{ text: inlinesIn(node, {}), style: 'heading', fontSize: headings[name], bold: true, alignment: 'center' }]
  if (name === 'ul' || name === 'ol') {
    const items = childrenOf(node)
      .filter((child) => nameOf(child) === 'li')
      .map((child): Block => ({ text: inlinesIn(child, {}), style: 'item' }))
    return [name === 'ul' ? { ul: items, style: 'list' } : { ol: items, style: 'list' }]
  }
  if (name === 'hr') return [{ canvas: [{ type: 'line', x1: 0, y1: 4, x2: 480, y2: 4, lineWidth: 0.5 }] }]
  if (name !== 'p' && name !== 'pre' && name !== 'blockquote') return undefined
  const inner =
    name === 'blockquote'
      ? childrenOf(node).flatMap((child) => [...inlinesOf(child, {}), { text: '\n' }])
      : inlinesIn(node, {})
  const own = childrenOf(node).flatMap((child) => (nameOf(child) === 'img' ? blockOf('img', child, pictures)! : []))
  // An empty paragraph is a blank line.
  return [
    ...own,
    ...(own.length > 0 && inner.length === 0
      ? []
      : [{ text: inner.length > 0 ? inner : [{ text: ' ' }], style: name === 'p' ? 'paragraph' : name } as Block]),
  ]
}

const inlinesIn = (node: Node, around: Marks): Inline[] => childrenOf(node).flatMap((child) => inlinesOf(child, around))

function inlinesOf(node: Node, around: Marks): Inline[] {
  if (node.type === ElementType.Text) return node.data === '' ? [] : [{ text: node.data, ...around }]
  const name = nameOf(node)
  if (name === 'br') return [{ text: '\n' }]
  if (name === undefined || name === 'img') return []
  return inlinesIn(node, {
    ...around,
    ...marks[name],
    ...(name === 'a' && { link: attribute(node, 'href'), decoration: 'underline' }),
  })
}

const nameOf = (node: Node): string | undefined => ('name' in node ? node.name : undefined)
const childrenOf = (node: Node): Node[] => ('children' in node ? (node.children as Node[]) : [])
const attribute = (node: Node, name: string): string => ('attribs' in node ? (node.attribs[name] ?? '') : '')
