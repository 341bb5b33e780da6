import { fileShapes } from './files.ts'
import { hoist } from './hoist.ts'
import type { ScreenKind, Widget } from './model.ts'
import { isObject, type JsonObject } from './walk.ts'

/** The keys of our own vocabulary, which mean nothing to an editor. */
const own = ['names', 'keys', 'scope', 'own', 'holes', 'fills', 'distinct', 'shorthand', 'optional', 'discriminator', 'about']

/** Keys whose values are values, not shapes. */
const literal = ['default', 'enum', 'const']

/** What editors complete and check schema files with: path below the project → text, all made from the shapes. */
export function editorFiles(
  widgets: Readonly<Record<string, Widget>>, kinds: Readonly<Record<string, ScreenKind>>,
): Record<string, string> {
  const shapes = fileShapes(widgets, kinds)
  const settings = {
    'json.schemas': Object.keys(shapes).map((kind) => ({ fileMatch: [pattern(kind)], url: `./engine/schema/editor/${kind}.schema.json` })),
  }
  const schemas = Object.entries(shapes).map(([kind, shape]) => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...plain(hoist(shape).schema) as object }
    return [`engine/schema/editor/${kind}.schema.json`, text(schema)]
  })
  return {
    ...Object.fromEntries(schemas),
    '.vscode/settings.json': text(settings),
  }
}

/** The files of a template have parameters in them and are not meant. */
const pattern = (kind: string) =>
  kind === 'app' ? '/schemas/app.json' : kind === 'template' ? '/schemas/*/*/*.template.json' : `/schemas/*/*.${kind}.json`

const text = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`

/** JSON Schema as editors know it: descriptions instead of `about`, a condition for each field type instead of a discriminator. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (!isObject(schema)) return schema
  const { about, discriminator, oneOf } = schema
  const kept = Object.entries(schema).filter(([key]) => !own.includes(key) && !(discriminator && key === 'oneOf'))
  const rest = Object.fromEntries(kept.map(([key, value]) =>
    [key, literal.includes(key) ? value : key === 'properties' ? properties(value as JsonObject) : plain(value)]))
  return {
    ...(isObject(about) && { description: Object.values(about).join(' · ') }), ...rest,
    ...(isObject(discriminator) && Array.isArray(oneOf) && cases(String(discriminator.propertyName), oneOf as JsonObject[])),
  }
}

/** Here the keys are names, not words of JSON Schema. */
const properties = (of: JsonObject) => Object.fromEntries(Object.entries(of).map(([name, under]) => [name, plain(under)]))

function cases(tag: string, branches: JsonObject[]): JsonObject {
  const words = branches.map((branch) => ((branch.properties as JsonObject)[tag] as JsonObject).const)
  return {
    properties: { [tag]: { enum: words } },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema; nobody awaits it
    allOf: branches.map((branch, index) => ({ if: { properties: { [tag]: { const: words[index] } } }, then: plain(branch) })),
  }
}
