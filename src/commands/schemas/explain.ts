import { explainer } from '../../../engine/schema/tools/explain.ts'
import type { Explanation, Where, GivenRole } from '../../../engine/schema/tools/explained.ts'
import { compile } from '../../../engine/schema/compile.ts'
import { printIssue } from '../../../engine/schema/issues/issue.ts'
import { cachedCatalog } from '../../cachedCatalog.ts'
import { lists } from '../../lists.ts'
import type { Catalog } from '../../../engine/model/model.ts'
import { directoryOf, sourcesIn, type Command } from './command.ts'
import { cacheFolder } from './verdicts.ts'
import { requireDatabase, withDatabase } from './database.ts'

export const command: Command = {
  usage: `  explain <what>… [--json]        of a route, screen, entity, entity.field, entity.action, dictionary, dictionary.value, permission,
                                  family, template, role, message type, procedure or area: where it is declared, what it becomes, who may use it, what would break without it
        [--data] [--schemas dir]  uses the roles in the database of DATABASE_URL or DATA_DIR, not those in the files`,
  options: { json: { type: 'boolean' }, data: { type: 'boolean' }, schemas: { type: 'string' } },
  async run(targets, { json, data, schemas }) {
    if (targets.length === 0)
      throw new Error(
        'Name what to explain: a route (/customer), a screen (customer.list), a field (customer.name), a permission (customer:customer:view), a family, a template, or another name.',
      )
    if (data) await requireDatabase()
    const sources = sourcesIn(directoryOf(schemas))
    const compiled = cachedCatalog(
      sources,
      () => compile(sources, lists),
      cacheFolder,
      () => undefined,
      'explained',
    )
    const roles = data && compiled.catalog ? await rolesOf(compiled.catalog) : undefined
    const explain = explainer(sources, { ...lists, ...(roles && { roles }) }, compiled)
    const explanations: Explanation[] = []
    for (const name of targets) {
      const explained = explain(name)
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
      explanations.push(explained.explanation)
    }
    if (json) console.log(JSON.stringify(targets.length === 1 ? explanations[0] : explanations, null, 2))
    else console.log(explanations.map(printed).join('\n\n\n'))
    return 0
  },
}

async function rolesOf(catalog: Catalog): Promise<GivenRole[]> {
  const { storedRoles } = await import('../../../engine/server/identity/storedRoles.ts')
  return withDatabase((database) => storedRoles(database, catalog, lists.widgets))
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
