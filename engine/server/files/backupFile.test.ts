import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, expect, it } from 'vitest'
import { readBackup, writeBackup } from './backupFile.ts'
import { makerMark } from './leftovers.ts'
import { isLong } from '../../../tests/long.ts'

const home = mkdtempSync(join(tmpdir(), 'formwork-backups-'))
afterAll(() => rmSync(home, { recursive: true }))

const file = join(home, 'backup')
const content = Buffer.from('6222 0000 1111 2222 '.repeat(20_000))
const write = (environment: Record<string, string>) =>
  writeBackup(file, environment, async (output) => pipeline(Readable.from([content]), output))
const read = async (environment: Record<string, string> = {}) => buffer(await readBackup(file, environment))

it('has a name with the mark of its process until it is complete', async () => {
  let names: string[] = []
  await writeBackup(file, {}, async (output) => {
    names = readdirSync(home)
    await pipeline(Readable.from([content]), output)
  })
  expect([names, readdirSync(home)]).toEqual([[`backup.formwork.${makerMark()}.part`], ['backup']])
})

it("can be decrypted with each recipient's key, and with no other", async () => {
  const keys = await Promise.all([generateIdentity(), generateIdentity(), generateIdentity()])
  const recipients = await Promise.all(keys.slice(0, 2).map(identityToRecipient))
  await write({ BACKUP_RECIPIENTS: recipients.join(', ') })
  expect(readFileSync(file).includes('6222')).toBe(false)
  const names = keys.map((key, index) => {
    const name = join(home, `key${index}`)
    writeFileSync(name, `# created: today\n${key}\n`)
    return name
  })
  for (const name of names.slice(0, 2)) expect((await read({ BACKUP_IDENTITY: name })).equals(content)).toBe(true)
  await expect(read({ BACKUP_IDENTITY: names[2] })).rejects.toThrow('encrypted for another key')
  await expect(read()).rejects.toThrow('The backup is encrypted: set BACKUP_IDENTITY')
  await expect(read({ BACKUP_IDENTITY: file })).rejects.toThrow('holds no age key')
  truncateSync(file, 200_000)
  await expect(read({ BACKUP_IDENTITY: names[0] })).rejects.toThrow()
})

it('is encrypted with a passphrase', async () => {
  const { setPassphrase } = Encrypter.prototype
  // Deriving the key takes seconds on purpose.
  if (!isLong)
    Encrypter.prototype.setPassphrase = function (passphrase) {
      setPassphrase.call(this, passphrase)
      this.setScryptWorkFactor(10)
    }
  try {
    await write({ BACKUP_PASSPHRASE: 'correct horse battery staple' })
  } finally {
    Encrypter.prototype.setPassphrase = setPassphrase
  }
  expect(readFileSync(file).includes('6222')).toBe(false)
  expect((await read({ BACKUP_PASSPHRASE: 'correct horse battery staple' })).equals(content)).toBe(true)
})

it('can be read without encryption, and reports which setting is wrong', async () => {
  await write({})
  expect((await read({ BACKUP_PASSPHRASE: 'unused' })).equals(content)).toBe(true)
  await expect(write({ BACKUP_RECIPIENTS: 'age1nobody' })).rejects.toThrow(
    '"age1nobody", which is not an age public key',
  )
  await expect(write({ BACKUP_RECIPIENTS: 'age1x', BACKUP_PASSPHRASE: 'x' })).rejects.toThrow('not both')
  expect((await read()).equals(content)).toBe(true)
})
