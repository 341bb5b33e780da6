import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compile } from '../../../engine/schema/compile.ts'
import { recordTypes } from '../../../engine/schema/language/recordTypes.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import { lists } from '../../lists.ts'
import { writeEditorNames } from '../../writeEditorNames.ts'
import type { Command } from './command.ts'

const file = join(resolve(import.meta.dirname, '../../..'), 'src/records.d.ts')

export const command: Command = {
  usage:
    '  types                           writes the types of all records, which procedures are checked against, and the names that editors offer',
  options: {},
  run() {
    // `uses.json` is derived from these types, so an outdated one is no issue here.
    const { catalog, issues } = compile(readSchemas('schemas'), { ...lists, uses: undefined })
    if (!catalog) {
      console.error(`${issues.length} issues: npm run schemas -- check`)
      return 1
    }
    writeFileSync(file, recordTypes(catalog, lists.widgets))
    writeEditorNames(catalog)
    console.log(`${Object.keys(catalog.entities).length} entities written to src/records.d.ts`)
    return 0
  },
}
