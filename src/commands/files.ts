import './help.ts'
import { parseArgs } from 'node:util'
import { moveFiles } from '../../engine/server/files/moveFiles.ts'
import { openFiles, storeAt } from '../../engine/server/files/openFiles.ts'
import { unusedFiles } from '../../engine/server/files/unusedFiles.ts'
import { openDatabase } from '../../engine/server/postgres/database.ts'

/**
 * `npm run files -- --from <store> --to <store> [--remove]`: copies all uploaded files and the key of the stored secrets
 * from a data folder to a bucket (`s3://bucket/prefix?endpoint=…`), or back. What is copied is read again and compared;
 * what is there already is left alone, so that it may be run while servers work, and once more when they are stopped.
 * `--remove` then removes the files from the first store.
 *
 * `npm run files -- --unused [--remove]`: lists the stored files that the database does not know and that are at least
 * a day old, as killed processes leave them, or removes them. Reads DATA_DIR, DATABASE_URL and FILES.
 *
 * Exits with 0 if done, 1 if it failed, 2 if called wrongly.
 */

const {
  values: { from, to, unused, remove },
} = parseArgs({
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    unused: { type: 'boolean' },
    remove: { type: 'boolean' },
  },
})
if (unused ? from || to : !from || !to) {
  console.error(
    'Usage: npm run files -- --from <data folder or s3://…> --to <data folder or s3://…> [--remove]\n' +
      '       npm run files -- --unused [--remove]',
  )
  process.exit(2)
}
try {
  if (unused) await handleUnused()
  else await move(from!, to!)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function move(from: string, to: string): Promise<void> {
  const source = await storeAt(from, '--from', process.env)
  const target = await storeAt(to, '--to', process.env)
  const { copied, there, removed } = await moveFiles(source, target, { remove })
  console.log(
    `From ${source.place} to ${target.place}: ${copied} files copied, ${there} there already, ${removed} removed.`,
  )
}

async function handleUnused(): Promise<void> {
  const dataDir = process.env.DATA_DIR || './data'
  const files = await openFiles(dataDir, process.env)
  const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir, share: true, connections: 1 })
  try {
    let count = 0
    let bytes = 0
    for await (const { name, size, modified } of unusedFiles(files, database.kysely)) {
      console.log(`${modified.toISOString().slice(0, 10)} ${name} ${size} bytes`)
      if (remove) await files.remove(name)
      count++
      bytes += size
    }
    console.log(`${count} unused files with ${bytes} bytes in ${files.place}${remove ? ', removed' : ''}.`)
  } finally {
    await database.close()
  }
}
