import './help.ts'
import { parseArgs } from 'node:util'
import { moveFiles } from '../../engine/server/files/moveFiles.ts'
import { storeAt } from '../../engine/server/files/openFiles.ts'

/**
 * `npm run files -- --from <store> --to <store> [--remove]`: copies all uploaded files and the key of the stored secrets
 * from a data folder to a bucket (`s3://bucket/prefix?endpoint=…`), or back. What is copied is read again and compared;
 * what is there already is left alone, so that it may be run while servers work, and once more when they are stopped.
 * `--remove` then removes the files of the first store. Ends with 0 done, 1 failed, 2 wrongly called.
 */

const {
  values: { from, to, remove },
} = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' }, remove: { type: 'boolean' } } })
if (!from || !to) {
  console.error('Usage: npm run files -- --from <data folder or s3://…> --to <data folder or s3://…> [--remove]')
  process.exit(2)
}
try {
  const source = await storeAt(from, '--from', process.env)
  const target = await storeAt(to, '--to', process.env)
  const { copied, there, removed } = await moveFiles(source, target, { remove })
  console.log(
    `From ${source.place} to ${target.place}: ${copied} files copied, ${there} there already, ${removed} removed.`,
  )
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
