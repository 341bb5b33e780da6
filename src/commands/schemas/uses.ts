import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { procedureNames } from '../../procedures/names.ts'
import type { Command } from './command.ts'
import { procedureUses } from './procedureUses.ts'
import { command as types } from './types.ts'

const root = resolve(import.meta.dirname, '../../..')
const file = join(root, 'src/procedures/uses.json')

export const command: Command = {
  usage: `  uses                            writes which fields each procedure uses, so that a server refuses files without them
        [--check]                 only reports whether the file is up to date`,
  options: { check: { type: 'boolean' } },
  async run(parameters, { check }) {
    const failed = await types.run(parameters, {})
    if (failed) return failed
    const found = procedureUses(root, procedureNames)
    const text = `${JSON.stringify(found, null, 1)}\n`
    if (check === true && readFileSync(file, 'utf8') !== text) {
      console.error('src/procedures/uses.json is out of date: run npm run schemas -- uses')
      return 1
    }
    if (check !== true) writeFileSync(file, text)
    console.log(`${Object.keys(found).length} procedures use typed fields`)
    return 0
  },
}
