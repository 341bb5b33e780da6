import { Readable } from 'node:stream'
import type { Database } from './database.ts'
import { parseKey, secretKey } from './secrets.ts'
import { changeTables } from './changeTables.ts'
import { type FileStore, keyName } from '../files/FileStore.ts'

/**
 * The key in the shared store. The first process stores its own there; a database lock ensures that only one is first.
 */
export const sharedKey = (database: Database, files: FileStore, dataDir: string): Promise<Buffer> =>
  changeTables(database, async () => {
    const kept = await files.read(keyName)
    if (kept) {
      const text = Buffer.concat((await kept.toArray()) as Buffer[]).toString('utf8')
      return parseKey(text, `${keyName} in ${files.place}`)
    }
    const key = secretKey(dataDir)
    await files.write(keyName, Readable.from([Buffer.from(`${key.toString('base64')}\n`)]))
    return key
  })
