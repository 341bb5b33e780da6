import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { languageReference } from '../../../engine/schema/docs/language.ts'
import { markdownOf } from '../../../engine/schema/docs/markdown.ts'
import { editorFiles } from '../../../engine/schema/tools/editor.ts'
import { lists } from '../../lists.ts'
import type { Command } from './command.ts'

const root = resolve(import.meta.dirname, '../../..')

/**
 * Everything that is generated from the schema language, by its path. The key reference leaves out examples: they come
 * from the schema files, so the page would be outdated after every change of one.
 */
export const madeFiles = (): Record<string, string> => ({
  ...editorFiles(lists.widgets, lists.kinds),
  'docs/keys.md': markdownOf(
    'Key reference',
    'Made by `npm run schemas -- docs`: do not edit. [The schema language](language.md) explains the ideas; the product shows this page, with an example for each key, under Help.',
    languageReference(lists, new Map()),
    ['Example'],
  ),
})

export const command: Command = {
  usage: '  docs                            writes the completions of editors for schema files, and docs/keys.md',
  options: {},
  run() {
    const files = Object.entries(madeFiles())
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    console.log(`${files.length} files written`)
    return 0
  },
}
