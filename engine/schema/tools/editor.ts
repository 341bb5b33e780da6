import { meaningOf } from '../docs/keyWords.ts'
import { fileShapes } from '../language/fileShapes.ts'
import { hoist } from '../checking/hoist.ts'
import type { Label, ScreenKind, Widget } from '../../model/model.ts'
import { isObject, type JsonObject } from '../walk.ts'
import { completedAs, editorSchemas, keyCompletedAs, namesFile } from './editorNames.ts'

/** Keys of our own vocabulary, which mean nothing to an editor. */
const own = [
  'names',
  'keys',
  'scope',
  'own',
  'holes',
  'fills',
  'distinct',
  'atMost',
  'digits',
  'like',
  'alsoCalled',
  'mayBeTrue',
  'ofGroups',
  'shorthand',
  'optional',
  'discriminator',
  'about',
]

/** Template directives that replace a value. */
const madeBy = ['$if', '$each', '$value']

/** Keys whose values are plain values, not shapes. */
const literal = ['default', 'enum', 'const']

/**
 * The schemas with which editors complete and check files: path below the project → text, all generated from the
 * shapes.
 */
export function editorFiles(
  widgets: Readonly<Record<string, Widget>>,
  kinds: Readonly<Record<string, ScreenKind>>,
): Record<string, string> {
  const shapes = fileShapes(widgets, kinds)
  const settings = {
    '[typescript][typescriptreact]': { 'editor.defaultFormatter': 'oxc.oxc-vscode', 'editor.formatOnSave': true },
    'json.schemas': Object.keys(shapes).map((kind) => ({
      fileMatch: [pattern(kind)],
      url: `./${editorSchemas}/${kind}.schema.json`,
    })),
  }
  const schemas = Object.entries(shapes).map(([kind, shape]) => [
    `${editorSchemas}/${kind}.schema.json`,
    text(editorSchema(kind, shape)),
  ])
  return {
    ...Object.fromEntries(schemas),
    '.vscode/settings.json': text(settings),
  }
}

/** A template's own files contain parameters, so they are excluded. */
const pattern = (kind: string) =>
  kind === 'app'
    ? '/schemas/app.json'
    : kind === 'template'
      ? '/schemas/*/*/*.template.json'
      : `/schemas/*/*.${kind}.json`

const text = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`

function editorSchema(kind: string, shape: object): object {
  const { $defs = {}, ...whole } = hoist(shape).schema as JsonObject & { $defs?: JsonObject }
  const shared: Shared = { places: new Map(), definitions: $defs }
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...(plain(whole, kind, shared) as object) }
  const definitions: JsonObject = {}
  // The loop adds more of them.
  for (const [name, path] of shared.places) definitions[name] = plain($defs[name], path, shared) as JsonObject
  return { ...schema, $defs: { made, ...definitions } }
}

/** Parts of a shape that occur several times. */
interface Shared {
  definitions: JsonObject
  /** Name of a part → where it first occurred. */
  places: Map<string, string>
}

/**
 * JSON Schema as editors know it: descriptions instead of `about`, a condition for each field type instead of a
 * discriminator.
 * @param path the keys from the kind of file to here, because the meaning of a key may depend on them
 */
function plain(schema: unknown, path: string, shared: Shared): unknown {
  if (Array.isArray(schema)) return schema.map((each) => plain(each, path, shared))
  if (!isObject(schema)) return schema
  const definition = referred(schema)
  if (definition !== undefined && !shared.places.has(definition)) shared.places.set(definition, path)
  const { about, discriminator, oneOf, names, keys } = schema
  const kept = Object.entries(schema).filter(([key]) => !own.includes(key) && !(discriminator && key === 'oneOf'))
  const rest = Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      literal.includes(key)
        ? value
        : key === 'properties'
          ? properties(value as JsonObject, path, shared)
          : plain(value, path, shared),
    ]),
  )
  return {
    ...(isObject(about) && described(about as Label)),
    ...rest,
    ...(isObject(rest.items) && { items: orMade(rest.items, namesIn(schema.items, shared)) }),
    // A name may be newer than the list: known names are offered, but others are not refused.
    ...(completedAs(names) && !('anyOf' in rest) && { anyOf: [listOf(completedAs(names)), {}] }),
    ...(keyCompletedAs(keys) && { allOf: [listOf(keyCompletedAs(keys))] }),
    ...(isObject(rest.additionalProperties) && { patternProperties: { '^[$]': {} } }),
    ...(isObject(discriminator) &&
      Array.isArray(oneOf) &&
      cases(String(discriminator.propertyName), oneOf as JsonObject[], path, shared)),
  }
}

const listOf = (list: string | undefined) => ({ $ref: `${namesFile}#/$defs/${list}` })

const referred = ({ $ref }: JsonObject): string | undefined =>
  typeof $ref === 'string' ? $ref.slice('#/$defs/'.length) : undefined

/** The lists of names that a text in the place of such an item is completed with. */
function namesIn(schema: unknown, shared: Shared): JsonObject[] {
  if (!isObject(schema)) return []
  const definition = referred(schema)
  if (definition !== undefined) return namesIn(shared.definitions[definition], shared)
  const list = completedAs(schema.names)
  const { anyOf = [] } = schema
  return [...(list ? [listOf(list)] : []), ...(anyOf as unknown[]).flatMap((each) => namesIn(each, shared))]
}

/**
 * Allows template directives in any file: in lists, under names, and instead of expressions and flags. Editors complete
 * nothing that stands under a condition, so names are offered beside it.
 */
const orMade = ({ description, ...shape }: JsonObject, names: readonly JsonObject[] = []): JsonObject => ({
  ...(description !== undefined && { description }),
  ...(names.length > 0 && { anyOf: [...names, {}] }),
  if: { $ref: '#/$defs/made' },
  else: shape,
})
const made: JsonObject = { type: 'object', anyOf: madeBy.map((word) => ({ required: [word] })) }
const expressions: readonly unknown[] = ['condition', 'formula', 'number']

/** Here the keys are names, not JSON Schema keywords. */
function properties(shape: JsonObject, path: string, shared: Shared): JsonObject {
  return Object.fromEntries(
    Object.entries(shape).map(([name, under]) => [
      name,
      { ...meaningAt(`${path}.${name}`), ...shapeAt(under, `${path}.${name}`, shared) },
    ]),
  )
}

function shapeAt(under: unknown, path: string, shared: Shared): JsonObject {
  const shape = plain(under, path, shared) as JsonObject
  const mayBeMade = isObject(under) && (under.type === 'boolean' || expressions.includes(under.names))
  return mayBeMade ? orMade(shape) : shape
}

function meaningAt(path: string): { description?: string } {
  const [kind, ...keys] = path.split('.')
  const meaning = meaningOf(kind, keys.join('.'))
  return meaning ? described(meaning) : {}
}

const described = (meaning: Label) => ({ description: Object.values(meaning).join(' · ') })

function cases(tag: string, branches: JsonObject[], path: string, shared: Shared): JsonObject {
  const words = branches.map((branch) => ((branch.properties as JsonObject)[tag] as JsonObject).const)
  return {
    properties: { [tag]: { ...meaningAt(`${path}.${tag}`), enum: words } },
    allOf: branches.map((branch, index) => ({
      if: { properties: { [tag]: { const: words[index] } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword; nothing awaits it
      then: plain(branch, path, shared),
    })),
  }
}
