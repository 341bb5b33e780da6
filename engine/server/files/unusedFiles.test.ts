import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { createSystemTables } from '../postgres/system.ts'
import { filesPrefix, keyName } from './FileStore.ts'
import { folderFiles } from './folderFiles.ts'
import { unusedFiles } from './unusedFiles.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  await createSystemTables(database)
  folder = mkdtempSync(join(tmpdir(), 'formwork-unused-'))
})
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

it('finds files that no row names, except the key and files of the last day', async () => {
  const files = folderFiles(folder)
  const stored = async (name: string, age: number) => {
    await files.write(name, Readable.from([Buffer.from('content')]))
    const at = new Date(Date.now() - age)
    utimesSync(join(folder, name), at, at)
  }
  const day = 24 * 3_600_000
  const [known, unknown, fresh] = Array.from({ length: 3 }, () => randomBytes(16).toString('hex'))
  const nameOf = (id: string) => `${filesPrefix}${id.slice(0, 2)}/${id}`
  await stored(nameOf(known), 2 * day)
  await stored(nameOf(unknown), 2 * day)
  await stored(nameOf(fresh), day / 2)
  await stored(keyName, 2 * day)
  await sql`insert into system_file (name, size, type, sha256, path, at)
    values ('a.pdf', 7, 'application/pdf', 'sum', ${known}, '2026-03-15 09:00:00')`.execute(database.kysely)
  const found = []
  for await (const { name, size } of unusedFiles(files, database.kysely)) found.push({ name, size })
  expect(found).toEqual([{ name: nameOf(unknown), size: 7 }])
})
