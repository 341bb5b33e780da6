import { crc32 } from 'node:zlib'
import { openPromise } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import { Refusal } from '../errors.ts'
import type { SheetLimits } from './sheetRow.ts'

/** The parts of a workbook. As in the format, names are compared without regard to case. */
export interface Archive {
  has(part: string): boolean
  /** A part's text in chunks; refuses one that is damaged, or larger than declared. */
  text(part: string): AsyncGenerator<string>
  /** Open readers may finish; the file is closed after the last. */
  close(): void
}

const smallRatio = 2 ** 24

/**
 * Opens a zip archive by its central directory, and refuses one that would unpack beyond the limits before anything is
 * unpacked.
 */
export async function openArchive(file: string, limits: SheetLimits): Promise<Archive> {
  const zip = await openPromise(file, { autoClose: false }).catch(() => {
    throw new Refusal('sheetBroken')
  })
  try {
    return archiveOf(zip, await entriesOf(zip, limits))
  } catch (error) {
    zip.close()
    throw error instanceof Refusal ? error : new Refusal('sheetBroken')
  }
}

async function entriesOf(zip: ZipFile, limits: SheetLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.parts) throw new Refusal('sheetUnpacked')
  const entries = new Map<string, Entry>()
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase()
    if (entries.has(name)) throw new Refusal('sheetBroken')
    if (entry.isEncrypted()) throw new Refusal('sheetEncrypted')
    unpacked += entry.uncompressedSize
    const bomb = entry.uncompressedSize > smallRatio && entry.uncompressedSize > entry.compressedSize * limits.ratio
    if (bomb || unpacked > limits.unpackedBytes) throw new Refusal('sheetUnpacked')
    entries.set(name, entry)
  }
  return entries
}

const archiveOf = (zip: ZipFile, entries: Map<string, Entry>): Archive => ({
  has: (part) => entries.has(part.toLowerCase()),
  async *text(part) {
    const entry = entries.get(part.toLowerCase())
    if (!entry) throw new Refusal('sheetBroken')
    const decoder = new TextDecoder()
    let checksum = 0
    try {
      for await (const chunk of await zip.openReadStreamPromise(entry)) {
        checksum = crc32(chunk as Buffer, checksum)
        yield decoder.decode(chunk as Buffer, { stream: true })
      }
    } catch {
      throw new Refusal('sheetBroken')
    }
    if (checksum !== entry.crc32) throw new Refusal('sheetBroken')
    yield decoder.decode()
  },
  close: () => zip.close(),
})
