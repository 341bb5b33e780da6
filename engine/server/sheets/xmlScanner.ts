import { Refusal } from '../errors.ts'

/** Names come without their prefix, attributes as written (see `attribute`), a text possibly in several chunks. */
export interface XmlHandlers {
  open(name: string, attributes: string): void
  text?(text: string): void
  close?(name: string): void
}

const longestTag = 2 ** 20

/** Reads XML in chunks, keeping no more of it than one tag. Declares no entities, so none can expand. */
export class XmlScanner {
  #rest = ''
  #depth = 0

  constructor(readonly handlers: XmlHandlers) {}

  write(piece: string): void {
    const text = this.#rest + piece
    let at = 0
    while (at < text.length) {
      const start = text.indexOf('<', at)
      const end = start === -1 ? wholeEntities(text, at) : start
      if (end > at) this.handlers.text?.(unescapeXml(text.slice(at, end)))
      at = end
      if (start === -1) break
      const after = this.#markup(text, start)
      if (after === -1) break
      at = after
    }
    this.#rest = text.slice(at)
    if (this.#rest.length > longestTag) throw new Refusal('sheetBroken')
  }

  /** Refuses a document that is cut off. */
  end(): void {
    if (this.#rest.trim() !== '' || this.#depth !== 0) throw new Refusal('sheetBroken')
  }

  /** The end of the markup that begins at `start`; -1 if it is in a later chunk. */
  #markup(text: string, start: number): number {
    const second = text.charCodeAt(start + 1)
    if (second === 0x21) return this.#declaration(text, start)
    if (second === 0x3f) return after(text, '?>', start)
    const end = tagEnd(text, start + 1)
    if (end === -1) return -1
    if (second === 0x2f) {
      this.#depth--
      if (this.#depth < 0) throw new Refusal('sheetBroken')
      this.handlers.close?.(localName(text.slice(start + 2, end).trimEnd()))
      return end + 1
    }
    const empty = text.charCodeAt(end - 1) === 0x2f
    const tag = text.slice(start + 1, empty ? end - 1 : end)
    let space = 0
    while (space < tag.length && !isSpace(tag.charCodeAt(space))) space++
    const name = localName(tag.slice(0, space))
    this.handlers.open(name, tag.slice(space))
    if (empty) this.handlers.close?.(name)
    else this.#depth++
    return end + 1
  }

  #declaration(text: string, start: number): number {
    if (text.startsWith('<!--', start)) return after(text, '-->', start + 4)
    if (text.startsWith('<![CDATA[', start)) {
      const end = text.indexOf(']]>', start + 9)
      if (end === -1) return -1
      this.handlers.text?.(text.slice(start + 9, end))
      return end + 3
    }
    return text.length - start < 9 ? -1 : after(text, '>', start)
  }
}

/** The value of an attribute, ignoring prefixes. */
export function attribute(attributes: string, name: string): string | undefined {
  let value: string | undefined
  eachAttribute(attributes, (found, text) => {
    if (localName(found) === name) value ??= unescapeXml(text)
  })
  return value
}

/** Every attribute as written. Called for each cell of a sheet, so it scans the text only once, without patterns. */
export function eachAttribute(attributes: string, take: (name: string, text: string) => void): void {
  let at = 0
  for (;;) {
    const equals = attributes.indexOf('=', at)
    if (equals === -1) return
    let start = equals + 1
    while (start < attributes.length && isSpace(attributes.charCodeAt(start))) start++
    const end = attributes.indexOf(attributes[start], start + 1)
    if (end === -1) return
    take(attributes.slice(at, equals).trim(), attributes.slice(start + 1, end))
    at = end + 1
  }
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? -1 : at + mark.length
}

/** A `>` inside quotes does not end the tag. */
function tagEnd(text: string, from: number): number {
  let quote = 0
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (quote !== 0) {
      if (character === quote) quote = 0
    } else if (character === 0x22 || character === 0x27) quote = character
    else if (character === 0x3e) return at
  }
  return -1
}

/** The end of the text, or the start of an incomplete entity. */
function wholeEntities(text: string, from: number): number {
  const start = text.lastIndexOf('&')
  return start >= from && text.length - start < 12 && !text.includes(';', start) ? start : text.length
}

const isSpace = (character: number) => character === 32 || (character >= 9 && character <= 13)

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(x[\da-fA-F]{1,6}|\d{1,7})|(amp|lt|gt|quot|apos));/g,
    (whole, number?: string, name?: string) => {
      if (name !== undefined) return entities[name]
      const code = Number(number!.replace(/^x/, '0x'))
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}
