import { explain } from '../../../engine/schema/explain.ts'
import type { Explanation, Where } from '../../../engine/schema/explained.ts'
import { printIssue } from '../../../engine/schema/issue.ts'
import { lists } from '../../lists.ts'
import { directoryOf, sourcesIn, type Command } from './command.ts'

export const command: Command = {
  usage: `  explain <what> [--json]         of a route, screen, entity.field, permission or family: where each part is written, what it becomes, who may
        [--schemas directory]`,
  options: { json: { type: 'boolean' }, schemas: { type: 'string' } },
  run([asked], { json, schemas }) {
    if (asked === undefined)
      throw new Error(
        'Say what: a route (/customer), a screen (customer.list), a field (customer.name), a permission (customer:customer:view) or a family.',
      )
    const explained = explain(asked, sourcesIn(directoryOf(schemas)), lists)
    if ('refused' in explained) throw new Error(explained.refused)
    if ('issues' in explained) {
      console.log(
        [
          ...explained.issues.map(printIssue),
          `The schema files have ${explained.issues.length} issue(s): nothing can be explained before they are mended.`,
        ].join('\n\n'),
      )
      return 1
    }
    console.log(json ? JSON.stringify(explained.explanation, null, 2) : printed(explained.explanation))
    return 0
  },
}

const place = ({ file, line, note }: Where) => `${file}:${line}${note === undefined ? '' : ` ${note}`}`

function printed({ name, label, at, sections }: Explanation): string {
  const head = `${name}  ${Object.values(label).join(' · ')}${at ? `\n  ${place(at)}` : ''}`
  return [
    head,
    ...sections.map(({ title, lines }) =>
      [title, ...lines.map((line) => `  ${line.text}${line.at ? `\n      ${place(line.at)}` : ''}`)].join('\n'),
    ),
  ].join('\n\n')
}
