import { SaxesParser } from 'saxes'
import { Refusal } from '../errors.ts'

export type XmlAttributes = Readonly<Record<string, string>>

/** Names of tags come without their prefix. */
export interface XmlHandlers {
  open(name: string, attributes: XmlAttributes): void
  text?(text: string): void
  close?(name: string): void
}

const longestEvent = 2 ** 20
/** Some programs write these into workbooks. */
const tolerated = /entity|disallowed character\./

const controlEntity = /&#(?:x0*1?[\da-f]|0*(?:[12]?\d|3[01]));/gi

/** Reads XML that comes in pieces, and keeps no more of it than one tag or text. Expands no entities but XML's own. */
export class XmlScanner {
  readonly #parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  /** The current text contains a control character as an entity, which XML 1.0 forbids. */
  #hasControl = false
  /** Characters since the last tag or text. */
  #held = 0

  constructor(handlers: XmlHandlers) {
    this.#parser.on('error', ({ message }) => {
      if (!tolerated.test(message)) throw new Refusal('sheetBroken')
      this.#hasControl = true
    })
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#held = 0
      handlers.open(localName(name), attributes)
    })
    const text = (raw: string) => {
      this.#held = 0
      handlers.text?.(this.#hasControl ? raw.replace(controlEntity, '') : raw)
      this.#hasControl = false
    }
    this.#parser.on('text', text)
    this.#parser.on('cdata', text)
    this.#parser.on('closetag', ({ name }) => {
      this.#held = 0
      handlers.close?.(localName(name))
    })
  }

  write(piece: string): void {
    this.#held += piece.length
    this.#parser.write(piece)
    if (this.#held > longestEvent + piece.length) throw new Refusal('sheetBroken')
  }

  /** Refuses an incomplete document. */
  end(): void {
    this.#parser.close()
  }
}

/** The value of an attribute, whatever its prefix. */
export function attribute(attributes: XmlAttributes, name: string): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name]
  const prefixed = Object.keys(attributes).find((found) => localName(found) === name)
  return prefixed === undefined ? undefined : attributes[prefixed]
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
