import { createReadStream, createWriteStream, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { abortAbandoned } from './abortAbandoned.ts'
import { decrypted, encryption } from './backupEncryption.ts'
import { Bucket } from './Bucket.ts'
import { type BucketAddress, bucketAddress, isBucketAddress } from './bucketAddress.ts'
import { writeObject } from './bucketFiles.ts'
import { clearFolder, makerMark } from './leftovers.ts'

type Environment = Record<string, string | undefined>

/** With at most 10,000 parts, enough for 640 GB. */
const partBytes = 64 * 2 ** 20

/**
 * A backup is a file, or an object: `s3://bucket/name?endpoint=…`. It only gets its name once complete.
 * @param write fills the output and ends it
 */
export async function writeBackup<T>(
  to: string,
  environment: Environment,
  write: (output: Writable) => Promise<T>,
): Promise<T> {
  const encrypt = encryption(environment)
  if (isBucketAddress(to)) {
    const { bucket, key } = objectAt(to, '--to', environment)
    return filling(write, async (content) => writeObject(bucket, key, await encrypt(content), partBytes))
  }
  const draft = `${to}${draftMark}${makerMark()}.part`
  try {
    // It contains personal data and the key, so only its owner may read it.
    const output = createWriteStream(draft, { fd: openSync(draft, 'w', 0o600), flush: true })
    const written = await filling(write, async (content) => pipeline(await encrypt(content), output))
    renameSync(draft, to)
    return written
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** In the names of unfinished backups, before the process that writes them. */
const draftMark = '.formwork.'
const drafts = /\.formwork\..+-\d+\.part$/
/** Milliseconds without a write after which nobody works on a draft: processes of another container are not visible. */
const quiet = 10 * 60_000

/**
 * Removes what killed backups left in the folder of this one, or aborts their uploads. In a bucket without a folder only
 * uploads of the same name are ours for certain.
 * @returns how many
 */
export async function clearBackups(to: string, environment: Environment): Promise<number> {
  if (!isBucketAddress(to)) {
    return clearFolder(dirname(to), (name) => drafts.test(name), { quiet })
  }
  const { bucket, key } = objectAt(to, '--to', environment)
  const folder = key.slice(0, key.lastIndexOf('/') + 1)
  return abortAbandoned(bucket, folder || key, {
    isOurs: (found) => (folder ? !found.slice(folder.length).includes('/') : found === key),
  })
}

/** Waits for both before failing, because an abandoned upload would be stored, and billed. */
async function filling<T>(
  write: (output: Writable) => Promise<T>,
  store: (content: Readable) => Promise<unknown>,
): Promise<T> {
  const output = new PassThrough()
  const giveUp = (error: unknown) => {
    output.destroy(error as Error)
    throw error
  }
  const [filled, stored] = await Promise.allSettled([write(output).catch(giveUp), store(output).catch(giveUp)])
  if (filled.status === 'rejected') throw filled.reason
  if (stored.status === 'rejected') throw stored.reason
  return filled.value
}

/** Decrypted, if it was encrypted. */
export async function readBackup(from: string, environment: Environment): Promise<Readable> {
  return decrypted(await storedBackup(from, environment), environment)
}

async function storedBackup(from: string, environment: Environment): Promise<Readable> {
  if (!isBucketAddress(from)) return createReadStream(from)
  const { bucket, key } = objectAt(from, '--from', environment)
  const found = await bucket.get(key)
  if (!found) throw new Error(`There is no ${key} in ${bucket.address.bucket}.`)
  return found.body
}

function objectAt(text: string, setting: string, environment: Environment) {
  const address: BucketAddress = bucketAddress(text, setting, environment)
  if (!address.prefix) throw new Error(`${setting} names a bucket and no object in it: s3://bucket/name`)
  return { bucket: new Bucket(address), key: address.prefix.slice(0, -1) }
}
