import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { eject } from '../../../engine/schema/tools/explain.ts'
import { lists } from '../../lists.ts'
import { directoryOf, sourcesIn, type Command } from './command.ts'

export const command: Command = {
  usage: `  eject <family> --to <folder>    writes out the files that a family makes; the folder must not exist yet
        [--schemas directory]`,
  options: { to: { type: 'string' }, schemas: { type: 'string' } },
  run([family], { to, schemas }) {
    if (family === undefined || typeof to !== 'string')
      throw new Error('Say which family, and where to: npm run schemas -- eject parking --to /tmp/parking')
    const found = eject(family, sourcesIn(directoryOf(schemas)), lists)
    if ('refused' in found) throw new Error(found.refused)
    const folder = resolve(to)
    if (existsSync(folder)) throw new Error(`${folder} exists already.`)
    for (const { path, text } of found.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    console.log(`${found.files.length} files in ${folder}`)
    return 0
  },
}
