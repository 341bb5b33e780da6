import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import type { SourceText } from '../../../engine/schema/reading/SourceFile.ts'
import { namesPath } from '../../namesPath.ts'
import type { Command } from './command.ts'
import { verdictOn, type Verdict } from './verdicts.ts'

const file = join(resolve(import.meta.dirname, '../../..'), 'src/records.d.ts')

export const command: Command = {
  usage:
    '  types                           writes the types of all records, which procedures are checked against, and the names that editors offer',
  options: {},
  async run() {
    const sources = readSchemas('schemas')
    const write = () => writeTypes(sources)
    const { text, issues } =
      existsSync(file) && existsSync(namesPath) ? await verdictOn(sources, 'types', write) : await write()
    if (issues > 0) console.error(text)
    else console.log(text)
    return issues > 0 ? 1 : 0
  },
}

async function writeTypes(sources: readonly SourceText[]): Promise<Verdict> {
  // The compiler is only loaded if there is something to compile.
  const { compile } = await import('../../../engine/schema/compile.ts')
  const { recordTypes } = await import('../../../engine/schema/language/recordTypes.ts')
  const { lists } = await import('../../lists.ts')
  const { writeEditorNames } = await import('../../writeEditorNames.ts')
  // `uses.json` is derived from these types, so an outdated one is no issue here.
  const { catalog, issues } = compile(sources, { ...lists, uses: undefined })
  if (!catalog) return { text: `${issues.length} issues: npm run schemas -- check`, issues: issues.length, warnings: 0 }
  writeFileSync(file, recordTypes(catalog, lists.widgets))
  writeEditorNames(catalog)
  return {
    text: `${Object.keys(catalog.entities).length} entities written to src/records.d.ts`,
    issues: 0,
    warnings: 0,
  }
}
