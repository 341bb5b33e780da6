import { sections, text, type ExplainedLine, type Explanation, type Known } from './explained.ts'
import { grants } from '../../model/model.ts'
import type { Label, Value } from '../../model/model.ts'
import { below } from '../../model/pointer.ts'
import type { SourceFile, SourceText } from '../reading/SourceFile.ts'
import type { Place } from '../walk.ts'
import { breaks } from './thing.ts'

/** The generated files by family. */
const madeIn = (files: readonly SourceFile[]): Map<SourceFile, SourceFile[]> => {
  const made = new Map<SourceFile, SourceFile[]>()
  for (const file of files) {
    const [family, ...others] = file.generated?.families ?? []
    if (family && others.length === 0 && file.generated?.template !== undefined)
      made.set(family, [...(made.get(family) ?? []), file])
  }
  return made
}

/** The names of all families that generate files. */
export const familiesIn = (files: readonly SourceFile[]): string[] => [...madeIn(files).keys()].map(({ name }) => name)

const familyIn = (files: readonly SourceFile[], name: string) =>
  [...madeIn(files)].find(([family]) => family.name === name)

/** A family's files, as if written by hand. */
export const ejected = (files: readonly SourceFile[], name: string): SourceText[] =>
  (familyIn(files, name)?.[1] ?? []).map(({ area, name: own, kind, data }) => ({
    path: `${area}/${own}.${kind}.json`,
    text: `${JSON.stringify(data, null, 2)}\n`,
  }))

/** Whether the place names one of these files (`customer.entity`). */
function namesOne({ shape: { names }, value }: Place, files: ReadonlySet<string>): boolean {
  if (names === 'screen') return files.has(String(value))
  if (names === 'entityField') return files.has(`${String(value).split('.')[0]}.entity`)
  return (names === 'entity' || names === 'dictionary') && files.has(`${value as string}.${names}`)
}

/** A family's template and files, the files that use it, and the roles with its permissions. */
export function explainFamily(name: string, known: Known): Explanation | undefined {
  const { catalog, files, where } = known
  const sources = files.map(({ source }) => source)
  const found = familyIn(sources, name)
  if (!found) return undefined
  const [family, made] = found
  const { template, parameters } = family.data as { template: string; parameters: Record<string, Value> }
  const own = new Set(made.map(({ kind, name: entity }) => `${entity}.${kind}`))
  const ofKind = (kind: string): ExplainedLine[] =>
    made.filter((file) => file.kind === kind).map((file) => ({ text: file.name, at: where(file) }))
  const screens = Object.values(catalog.screens).filter(({ name: screen }) => own.has(screen))
  const entities = new Set(made.filter(({ kind }) => kind === 'entity').map((file) => file.name))
  const permissions = catalog.permissions.filter(({ entity }) => entities.has(entity))
  const asking = sources.filter(({ generated }) => generated?.note === '' && generated.families?.includes(family))
  const roles = known.roles.flatMap(({ code, patterns, at }): ExplainedLine[] => {
    const count = permissions.filter(({ value }) => patterns.some((pattern) => grants(pattern, value))).length
    return count === 0 ? [] : [{ text: `${code}: ${count} of ${permissions.length} permissions`, ...(at && { at }) }]
  })
  const label = Object.fromEntries(
    catalog.app.languages.map((language) => [language, String(parameters[language] ?? name)]),
  ) as Label
  return {
    kind: 'family',
    name,
    label,
    at: where(family),
    sections: sections({
      'Is made of': [{ text: `the template ${template}` }],
      Says: Object.keys(parameters).map((key) => ({ text: key, at: where(family, below('/parameters', key), true) })),
      'Makes the entities': ofKind('entity'),
      'Makes the screens': screens.map((screen) => ({ text: `${screen.route ?? screen.name} ${text(screen.title)}` })),
      'Makes the dictionaries': ofKind('dictionary'),
      'Stands in': asking.map(({ path }) => ({ text: path })),
      'Who may': roles,
      ...breaks({ name, isNamed: (place, { source }) => !made.includes(source) && namesOne(place, own) }, known),
    }),
  }
}
