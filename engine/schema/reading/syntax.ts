import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'

export interface SyntaxFault {
  offset: number
  length: number
  message: string
}

/**
 * Why a text is not JSON, and what can be read of it nevertheless, if certain. After a missing quote or bracket,
 * everything else a parser reports follows from it; the layout of the lines shows which one is missing.
 */
export function syntaxFaults(text: string): { faults: SyntaxFault[]; tree: Node | undefined } {
  if (!text.trim())
    return {
      tree: undefined,
      faults: [{ offset: 0, length: 0, message: 'The file is empty: it must contain an object, { … }' }],
    }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true })
  const codes = errors.map(({ error }) => printParseErrorCode(error))
  const all = errors.flatMap(({ offset, length }, index): SyntaxFault[] => {
    // After an invalid word the value is missing too: the same mistake.
    if (codes[index] === 'ValueExpected' && codes[index - 1] === 'InvalidSymbol') return []
    const comma = text.slice(0, offset).trimEnd().length - 1
    if (text[comma] === ',' && ']}'.includes(text[offset]) && offset < text.length)
      return [{ offset: comma, length: 1, message: 'Remove this ",": nothing follows it' }]
    const other = otherSign(text, offset)
    if (other) return [other]
    if (codes[index] === 'CommaExpected') return [missingComma(text, offset, length)]
    return [{ offset, length: Math.max(1, length), message: words[codes[index]] ?? 'This is not valid JSON' }]
  })
  const faults = all.filter((fault, index) => !followsFrom(text, all.slice(0, index), fault))
  const quotes = missingQuotes(text, faults)
  if (quotes.length)
    return {
      tree: undefined,
      faults: [...faults.filter(({ offset }) => offset < quotes[0].line.start), ...quotes.map(({ fault }) => fault)],
    }
  const bracket = missingBracket(text, faults)
  if (bracket) return { tree: undefined, faults: [bracket] }
  return { tree, faults: faults.length ? faults : [{ offset: 0, length: 1, message: 'This is not valid JSON' }] }
}

const quotes = /^['‘’“”「][^'‘’“”」\n]*['‘’“”」]?/
const chinese: Record<string, string> = { '，': ',', '、': ',', '：': ':', '｛': '{', '｝': '}', '［': '[', '］': ']' }

/** Punctuation of another language, or Chinese punctuation, in the place of JSON's. */
function otherSign(text: string, offset: number): SyntaxFault | undefined {
  const rest = text.slice(offset)
  const [quoted] = quotes.exec(rest) ?? []
  if (quoted !== undefined) {
    const message = `Keys and texts stand in double quotes: "${quoted.replace(/['‘’“”「」]/g, '')}"`
    return { offset, length: quoted.length, message }
  }
  const sign = rest[0]
  if (Object.hasOwn(chinese, sign ?? ''))
    return { offset, length: 1, message: `This is a Chinese "${sign}": write "${chinese[sign]}"` }
  if (sign === '=') return { offset, length: 1, message: 'Write ":" here instead of "="' }
  const [, key] = /^([A-Za-z_]\w*)\s*:/.exec(rest) ?? []
  if (key !== undefined && /[{,]\s*$/.test(text.slice(0, offset)))
    return { offset, length: key.length, message: `Keys and texts need double quotes: "${key}"` }
  const [word] = /^\w+/.exec(rest) ?? []
  if (word === undefined || text[offset - 1] !== '"') return undefined
  return {
    offset,
    length: word.length,
    message: `A double quote ends the text before this: inside a text write '${word}'`,
  }
}

/** One extra comma is reported twice, and after single quotes nothing else on the line can be parsed. */
const followsFrom = (text: string, before: readonly SyntaxFault[], { offset }: SyntaxFault): boolean =>
  before.some(
    (fault) =>
      fault.offset === offset ||
      (otherSign(text, fault.offset) !== undefined && !/\n\s*\S/.test(text.slice(fault.offset, offset))),
  )

const words: Record<string, string> = {
  InvalidSymbol: 'This word is not JSON: only true, false and null stand without quotes',
  InvalidNumberFormat: 'The number is not well formed',
  PropertyNameExpected: 'A key in double quotes belongs here',
  ValueExpected: 'A value belongs here',
  ColonExpected: 'A ":" is missing before this',
  CloseBraceExpected: 'The closing "}" is missing',
  CloseBracketExpected: 'The closing "]" is missing',
  EndOfFileExpected: 'Nothing more belongs after the end of the object',
  InvalidCommentToken: 'Comments are not part of JSON',
  UnexpectedEndOfComment: 'Comments are not part of JSON',
  UnexpectedEndOfString: 'The closing double quote is missing',
  UnexpectedEndOfNumber: 'The number is not complete',
  InvalidUnicode: 'The \\u escape is not well formed',
  InvalidEscapeCharacter: 'This escape is not known: JSON has \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u',
  InvalidCharacter: 'This character cannot stand in JSON; inside a text it needs an escape',
}

/** A missing comma is detected at the next word, but belongs after the last one, on the line that was changed. */
function missingComma(text: string, offset: number, length: number): SyntaxFault {
  const before = text.slice(0, offset).trimEnd()
  if (!text.slice(before.length, offset).includes('\n'))
    return { offset, length: Math.max(1, length), message: 'A "," is missing before this' }
  const last = /("(?:[^"\\\n]|\\.)*"|[\w.+-]+|[^\s])$/.exec(before)!
  return { offset: last.index, length: last[0].length, message: 'A "," is missing after this' }
}

interface Line {
  start: number
  text: string
}

/** A string ends on its line, so an odd number of quotes means that one is missing. */
function missingQuotes(text: string, faults: readonly SyntaxFault[]): { line: Line; fault: SyntaxFault }[] {
  return linesOf(text).flatMap((line) => {
    const quotes = line.text.replace(/\\./g, '  ').match(/"/g)?.length ?? 0
    if (quotes % 2 === 0) return []
    const noticed = faults.find(({ offset }) => offset >= line.start && offset <= line.start + line.text.length)
    const offset = noticed?.offset ?? line.start + line.text.lastIndexOf('"')
    return [
      {
        line,
        fault: {
          offset,
          length: noticed?.length ?? 1,
          message: 'A double quote is missing on this line, here or before',
        },
      },
    ]
  })
}

const pairs: Record<string, string> = { '{': '}', '[': ']' }
const tokens = /"(?:[^"\\\n]|\\.)*"|[[\]{}]/g

/** Undefined if every bracket is closed by its own kind. */
function missingBracket(text: string, faults: readonly SyntaxFault[]): SyntaxFault | undefined {
  const counts = new Map<string, number>()
  for (const [token] of text.matchAll(tokens)) counts.set(token, (counts.get(token) ?? 0) + 1)
  const more = (opening: string) => (counts.get(opening) ?? 0) - (counts.get(pairs[opening]) ?? 0)
  const [braces, squares] = [more('{'), more('[')]
  const { early, crossed } = misplaced(text)
  if (crossed && ((braces === 0 && squares === 0) || braces * squares < 0)) return crossed
  for (const [opening, surplus] of [
    ['{', braces],
    ['[', squares],
  ] as const) {
    if (surplus > 0) return unclosed(text, opening) ?? faults[0]
    if (surplus === 0 || faults.length === 0) continue
    const before = unopened(text, opening, faults[0])
    if (before) return before
    // What the parser stumbled over earlier is the place of a missing opening bracket.
    const isFirst = early && faults[0].offset >= text.slice(0, early.offset).trimEnd().length - 1
    if (early && isFirst) return early
    return {
      ...faults[0],
      message: `A "${opening}" is missing before this, or there is one "${pairs[opening]}" too many`,
    }
  }
  return undefined
}

/** A key at the end of its line whose value begins on the next one: nobody formats JSON like that. */
function unopened(text: string, opening: string, { offset }: SyntaxFault): SyntaxFault | undefined {
  const key = [...text.slice(0, offset).matchAll(/("(?:[^"\\\n]|\\.)*")[ \t]*:[ \t]*\r?\n/g)].at(-1)
  return key && { offset: key.index, length: key[1].length, message: `A "${opening}" is missing after this` }
}

interface Open {
  character: string
  offset: number
  line: number
}

/**
 * The bracket that is not closed. A bracket closed at the start of a line was opened on a line with the same
 * indentation; one opened in the middle of a line is closed on it, unless the next line is indented deeper.
 */
function unclosed(text: string, wanted: string): SyntaxFault | undefined {
  const open: Open[] = []
  const lines = linesOf(text)
  const faultAt = ({ character, offset }: Open) => ({
    offset,
    length: 1,
    message: `This "${character}" is not closed: a "${pairs[character]}" is missing`,
  })
  for (const [index, line] of lines.entries()) {
    const indent = indentOf(line)
    for (const { 0: token, index: column } of line.text.matchAll(tokens)) {
      if (token.startsWith('"')) continue
      if (token in pairs) {
        open.push({ character: token, offset: line.start + column, line: index })
        continue
      }
      const last = open.at(-1)
      if (!last) return undefined
      const isDeeper = column === indent && indentOf(lines[last.line]) > indent
      if ((isDeeper || pairs[last.character] !== token) && last.character === wanted) return faultAt(last)
      open.pop()
    }
    const last = open.at(-1)
    const next = lines.slice(index + 1).find((other) => other.text.trim() !== '')
    const isWithin =
      last?.line === index && last.character === wanted && last.offset - line.start < line.text.trimEnd().length - 1
    if (isWithin && next && indentOf(next) <= indent && !/^\s*[\]}]/.test(next.text)) return faultAt(last)
  }
  const last = open.findLast(({ character }) => character === wanted)
  return last && faultAt(last)
}

/**
 * `early`: a bracket that closes what the lines below, by their indentation, still belong to; `crossed`: one that
 * closes a bracket of the other kind. Both report where it was opened.
 */
function misplaced(text: string): { early?: SyntaxFault; crossed?: SyntaxFault } {
  const open: (Open & { indent?: number })[] = []
  const lines = linesOf(text)
  let closed: { offset: number; by: string; opener: Open } | undefined
  const tooEarly = ({ offset, by, opener }: NonNullable<typeof closed>): SyntaxFault => ({
    offset,
    length: 1,
    message: `This "${by}" closes the "${opener.character}" of line ${opener.line + 1}, but what follows belongs inside it: remove this "${by}" or move it down`,
  })
  for (const [index, line] of lines.entries()) {
    if (!line.text.trim()) continue
    const indent = indentOf(line)
    const last = open.at(-1)
    if (!/^[\]}]/.test(line.text.trim())) {
      if (last) last.indent ??= indent
      if (closed && indent > (last?.indent ?? -1)) return { early: tooEarly(closed) }
    }
    closed = undefined
    for (const { 0: token, index: column } of line.text.matchAll(tokens)) {
      if (token.startsWith('"')) continue
      if (token in pairs) {
        open.push({ character: token, offset: line.start + column, line: index })
        continue
      }
      const opener = open.pop()
      if (!opener) return {}
      if (pairs[opener.character] !== token) {
        const place = opener.line === index ? 'on this line' : `of line ${index + 1}`
        const message = `This "${opener.character}" is not closed before the "${token}" ${place}: a "${pairs[opener.character]}" is missing`
        return { crossed: { offset: opener.offset, length: 1, message } }
      }
      closed = { offset: line.start + column, by: token, opener }
      if (column === indent && indent > indentOf(lines[opener.line])) return { early: tooEarly(closed) }
    }
  }
  return {}
}

function linesOf(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line) => {
    const at = { start, text: line }
    start += line.length + 1
    return at
  })
}
const indentOf = ({ text }: Line) => /^\s*/.exec(text)![0].length
