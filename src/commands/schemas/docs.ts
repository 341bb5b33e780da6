import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { editorFiles } from '../../../engine/schema/editor.ts'
import { lists } from '../../lists.ts'
import type { Command } from './command.ts'

const root = resolve(import.meta.dirname, '../../..')

export const command: Command = {
  usage: '  docs                            writes what editors complete schema files with',
  options: {},
  run() {
    const files = Object.entries(editorFiles(lists.widgets, lists.kinds))
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    console.log(`${files.length} files written`)
    return 0
  },
}
