import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Encrypts the values of fields whose widget requires it. The stored form is `v1.<nonce>.<tag>.<text>`, base64. */
export interface Secrets {
  encrypt(text: string): string
  /** @throws if the stored text was tampered with, or encrypted with another key. */
  decrypt(stored: string): string
}

/** AES-256-GCM with a 32-byte key. */
export function createSecrets(key: Buffer): Secrets {
  return {
    encrypt(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return ['v1', ...[nonce, cipher.getAuthTag(), encrypted].map((part) => part.toString('base64'))].join('.')
    },
    decrypt(stored) {
      const [, nonce, tag, encrypted] = stored.split('.').map((part) => Buffer.from(part, 'base64'))
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
    },
  }
}

/**
 * The key from the setting, base64; else from `secret.key` in the data folder, generated at the first start. All
 * servers of one database need the same key.
 */
export function secretKey(dataDir: string, given?: string): Buffer {
  if (given !== undefined) {
    const key = Buffer.from(given, 'base64')
    if (key.length !== 32) throw new Error('SECRET_KEY is not a key of 32 bytes in base64.')
    return key
  }
  const path = join(dataDir, 'secret.key')
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // Written under another name and linked atomically: a process that starts at the same moment reads this key, or we
    // read its.
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
  }
  return parseKey(readFileSync(path, 'utf8'), path)
}

/** @param where its location, for messages to the operator */
export function parseKey(text: string, where: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32)
    throw new Error(
      `${where} does not hold a key of 32 bytes. Restore it from a backup: without it no stored secret can be read.`,
    )
  return key
}
