import { Refusal } from '../errors.ts'
import type { Archive } from './archive.ts'
import { plainText } from './plainText.ts'
import type { SheetLimits } from './sheetRow.ts'
import { XmlScanner } from './xmlScanner.ts'

const block = 2 ** 20
const overhead = 16

/**
 * The shared texts of cells, as bytes outside the heap, so that a million texts take no more memory than their bytes.
 */
export class TextTable {
  #blocks: Buffer[] = []
  #used = block
  #starts = new Float64Array(1024)
  #lengths = new Uint32Array(1024)
  #weight = 0
  size = 0

  constructor(readonly bytes: number) {}

  add(text: string): void {
    const length = Buffer.byteLength(text)
    this.#weight += length + overhead
    if (this.#weight > this.bytes) throw new Refusal('sheetUnpacked')
    if (this.#used + length > block) {
      this.#blocks.push(Buffer.allocUnsafe(Math.max(block, length)))
      this.#used = 0
    }
    if (this.size === this.#starts.length) this.#grow()
    this.#blocks.at(-1)!.write(text, this.#used)
    this.#starts[this.size] = (this.#blocks.length - 1) * block + this.#used
    this.#lengths[this.size] = length
    this.#used += length
    this.size++
  }

  get(index: number): string | undefined {
    if (!(index < this.size)) return undefined
    const start = this.#starts[index] % block
    return this.#blocks[Math.floor(this.#starts[index] / block)].toString('utf8', start, start + this.#lengths[index])
  }

  #grow(): void {
    const starts = new Float64Array(this.size * 2)
    const lengths = new Uint32Array(this.size * 2)
    starts.set(this.#starts)
    lengths.set(this.#lengths)
    this.#starts = starts
    this.#lengths = lengths
  }
}

/** Reads the table of shared texts; rich texts as plain ones, without pronunciation. */
export async function readTexts(archive: Archive, part: string | undefined, limits: SheetLimits): Promise<TextTable> {
  const table = new TextTable(limits.textBytes)
  if (part === undefined || !archive.has(part)) return table
  let text = ''
  let inText = false
  let pronounced = false
  const scanner = new XmlScanner({
    open(name) {
      if (name === 'si') text = ''
      else if (name === 't') inText = !pronounced
      else if (name === 'rPh') pronounced = true
    },
    text(piece) {
      if (!inText) return
      text += piece
      if (text.length > limits.characters) throw new Refusal('sheetUnpacked')
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'rPh') pronounced = false
      else if (name === 'si') table.add(plainText(text))
    },
  })
  for await (const piece of archive.text(part)) scanner.write(piece)
  scanner.end()
  return table
}
