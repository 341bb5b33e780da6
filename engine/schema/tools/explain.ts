import type { Lists } from '../compile.ts'
import { compile, nameAll } from '../compile.ts'
import type { Explanation, Known, Where, GivenRole } from './explained.ts'
import { ejected, explainFamily, familiesIn } from './explainFamily.ts'
import { explainField } from './explainField.ts'
import { deedsOf, explainNamed, namedThings } from './explainNamed.ts'
import { explainPermission } from './explainPermission.ts'
import { explainScreen } from './explainScreen.ts'
import { explainTemplate, templateNames } from './explainTemplate.ts'
import { offer, sentence, type Issue } from '../issues/issue.ts'
import type { Catalog } from '../../model/model.ts'
import { positionOf, rangeOf, treeOf } from '../reading/place.ts'
import { Reporter } from '../issues/report.ts'
import { rolesOfFiles, whoMay } from './whoMay.ts'
import type { SourceFile, SourceText } from '../reading/SourceFile.ts'

/** `issues`: the files have issues, so nothing can be explained. `refused`: a message about the requested name. */
export type Explained = { explanation: Explanation } | { issues: Issue[] } | { refused: string }

/** `roles` from a database replace the preset roles. */
export type Explaining = Lists & { roles?: readonly GivenRole[] }

/**
 * Explains a route (`/customer`) or a screen (`customer.list`), a field (`customer.uscc`), a permission
 * (`customer:customer:view`), a family (`parking`) or its template, or anything else with a name: an entity, a
 * dictionary and its value (`contractStage.drafted`), an action, transition or download (`customer.agree`), a type of
 * message, a role, a procedure, an area.
 */
export const explain = (query: string, sources: readonly SourceText[], lists: Explaining): Explained =>
  explainer(sources, lists)(query)

/** The same for several names, for which the files are read once. @param compiled what they compile to, if known */
export function explainer(
  sources: readonly SourceText[],
  lists: Explaining,
  { catalog, issues } = compile(sources, lists),
): (query: string) => Explained {
  if (!catalog) return () => ({ issues })
  const known = knownOf(catalog, sources, lists)
  return (query) => explained(query, catalog, known)
}

function explained(query: string, catalog: Catalog, known: Known): Explained {
  const refuse = (what: string, names: readonly string[]): Explained => {
    const { suggestion } = offer(query, names)
    return {
      refused: `There is no ${what} "${query}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`}`,
    }
  }
  if (query.includes(':')) {
    const permission = catalog.permissions.find(({ value }) => value === query)
    return permission
      ? { explanation: explainPermission(permission, known) }
      : refuse(
          'permission',
          catalog.permissions.map(({ value }) => value),
        )
  }
  if (query.startsWith('/')) {
    const name = catalog.routes[query.split('?')[0]]
    return name === undefined
      ? refuse('route', Object.keys(catalog.routes))
      : { explanation: explainScreen(catalog.screens[name], known) }
  }
  if (Object.hasOwn(catalog.screens, query)) return { explanation: explainScreen(catalog.screens[query], known) }
  const family = explainFamily(query, known)
  if (family) return { explanation: family }
  const [entity, field, ...more] = query.split('.')
  const isField = more.length === 0 && Object.hasOwn(catalog.entities[entity]?.fields ?? {}, field ?? '')
  const named = isField ? undefined : explainNamed(query, known)
  if (named) return { explanation: named }
  const template = explainTemplate(query, known)
  if (template) return { explanation: template }
  if (!Object.hasOwn(catalog.entities, entity) || field === undefined || more.length) {
    const fields = Object.values(catalog.entities).flatMap((each) =>
      Object.keys(each.fields).map((name) => `${each.name}.${name}`),
    )
    return refuse('route, screen, field, permission, family, template or other name', [
      ...Object.keys(catalog.screens),
      ...fields,
      ...familiesIn(known.files.map(({ source }) => source)),
      ...templateNames(known),
      ...namedThings(known),
    ])
  }
  const { fields, file } = catalog.entities[entity]
  if (Object.hasOwn(fields, field)) return { explanation: explainField(catalog.entities[entity], fields[field], known) }
  const near = offer(field, [...Object.keys(fields), ...deedsOf(catalog.entities[entity])])
  return { refused: sentence('unknown-field', { ...near, entity, see: file }) }
}

/** The files that a family generates, or why there are none. */
export function eject(
  name: string,
  sources: readonly SourceText[],
  lists: Lists,
): { files: SourceText[] } | { refused: string } {
  const made = nameAll(sources, lists, new Reporter()).files.map(({ source }) => source)
  const files = ejected(made, name)
  if (files.length > 0) return { files }
  const { suggestion } = offer(name, familiesIn(made))
  return {
    refused: `There is no family "${name}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`}`,
  }
}

function knownOf(catalog: Catalog, sources: readonly SourceText[], lists: Explaining): Known {
  const { files, names } = nameAll(sources, lists, new Reporter())
  const trees = new Map<string, ReturnType<typeof treeOf>>()
  const tree = ({ path, text }: SourceText) => {
    if (!trees.has(path)) trees.set(path, treeOf(text))
    return trees.get(path)
  }
  const where = (file: SourceFile, pointer = '', key = false): Where => {
    const origin = file.generated?.origin(pointer)
    const { path, text } = origin?.file ?? file
    const { start } = rangeOf(tree({ path, text }), text, origin?.pointer ?? pointer, { key })
    return { file: path, line: positionOf(text, start).line, ...(file.generated && { note: file.generated.note }) }
  }
  const byName = new Map(files.map((file) => [`${file.source.name}.${file.source.kind}`, file]))
  const roles = lists.roles ?? rolesOfFiles(catalog, lists.widgets, files, where)
  return {
    catalog,
    files,
    names,
    lists,
    where,
    fileOf: (kind, name) => byName.get(`${name}.${kind}`),
    roles,
    whoMay: whoMay(roles, lists.roles !== undefined),
  }
}
