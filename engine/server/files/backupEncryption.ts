/**
 * Backups contain personal data and the secret key, so they may be encrypted in the age format (age-encryption.org).
 */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'

type Environment = Record<string, string | undefined>

/** The first bytes of every age file. */
const beginning = 'age-encryption.org/v1'

/**
 * Encrypts for the public keys in BACKUP_RECIPIENTS, or with BACKUP_PASSPHRASE; leaves the content as it is if neither is
 * set. @throws with a sentence for the operator
 */
export function encryption({
  BACKUP_RECIPIENTS: recipients,
  BACKUP_PASSPHRASE: passphrase,
}: Environment): (content: Readable) => Promise<Readable> {
  if (!recipients && !passphrase) return async (content) => content
  if (recipients && passphrase) throw new Error('Set BACKUP_RECIPIENTS or BACKUP_PASSPHRASE, not both.')
  const encrypter = new Encrypter()
  if (passphrase) encrypter.setPassphrase(passphrase)
  for (const recipient of recipients?.split(',').map((each) => each.trim()) ?? []) {
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new Error(`BACKUP_RECIPIENTS holds "${recipient}", which is not an age public key (age1…).`)
    }
  }
  return async (content) => readableOf(await encrypter.encrypt(streamOf(content)))
}

/**
 * Encrypted content is decrypted with the key in the file that BACKUP_IDENTITY names, or with BACKUP_PASSPHRASE;
 * anything else is returned as it is. @throws with a sentence for the operator
 */
export async function decrypted(
  content: Readable,
  { BACKUP_IDENTITY: identity, BACKUP_PASSPHRASE: passphrase }: Environment,
): Promise<Readable> {
  const { head, whole } = await peeked(content, beginning.length)
  if (head.toString('latin1', 0, beginning.length) !== beginning) return whole
  if (!identity && !passphrase)
    throw new Error('The backup is encrypted: set BACKUP_IDENTITY (a file with the key) or BACKUP_PASSPHRASE.')
  const decrypter = new Decrypter()
  if (passphrase) decrypter.addPassphrase(passphrase)
  if (identity) for (const key of keysIn(identity)) decrypter.addIdentity(key)
  try {
    return readableOf(await decrypter.decrypt(streamOf(whole)))
  } catch (error) {
    whole.destroy()
    throw new Error('The backup was encrypted for another key or with another passphrase.', { cause: error })
  }
}

/** A file as `age-keygen` writes it: one key a line, and comments. */
function keysIn(file: string): string[] {
  const keys = readFileSync(file, 'utf8').match(/^AGE-SECRET-KEY-\S+$/gm)
  if (!keys) throw new Error(`BACKUP_IDENTITY names ${file}, which holds no age key (AGE-SECRET-KEY-…).`)
  return keys
}

/** The first bytes, and the whole content. */
async function peeked(content: Readable, length: number): Promise<{ head: Buffer; whole: Readable }> {
  const pieces = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let head = Buffer.alloc(0)
  while (head.length < length) {
    const { done, value } = await pieces.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const rest = { [Symbol.asyncIterator]: () => pieces }
  const whole = async function* () {
    if (head.length > 0) yield head
    yield* rest
  }
  return { head, whole: Readable.from(whole(), { objectMode: false }) }
}

type Bytes = Parameters<Encrypter['encrypt']>[0] & object

const streamOf = (content: Readable) => Readable.toWeb(content) as unknown as Extract<Bytes, { getReader: unknown }>
const readableOf = (stream: unknown) => Readable.fromWeb(stream as ReadableStream)
