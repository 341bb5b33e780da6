import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { Refusal } from '../errors.ts'

const zip = Buffer.from('PK\x03\x04', 'latin1')
const compound = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const encrypted = Buffer.from('EncryptedPackage', 'utf16le')
const block = 2 ** 20

/** Refuses files that are not zip archives, and says what they are instead. */
export async function refuseOtherFiles(file: string): Promise<void> {
  const handle = await open(file)
  try {
    const head = await readAt(handle, 0, 4096)
    if (head.subarray(0, 4).equals(zip)) return
    if (head.subarray(0, 8).equals(compound))
      throw new Refusal((await contains(handle, encrypted)) ? 'sheetEncrypted' : 'sheetOld')
    throw new Refusal(isText(head) ? 'sheetText' : 'sheetKind')
  } finally {
    await handle.close()
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Blocks overlap, so that a word across two of them is found too. */
async function contains(handle: FileHandle, word: Buffer): Promise<boolean> {
  for (let position = 0; ; position += block) {
    const content = await readAt(handle, position, block + word.length)
    if (content.includes(word)) return true
    if (content.length < block) return false
  }
}

/**
 * Old programs write text in their country's encoding, so only bytes that no text contains reveal another file type.
 */
function isText(head: Buffer): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true
  if (head.subarray(0, 4).toString('latin1') === '%PDF') return false
  return head.every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 12 || byte === 13)
}
