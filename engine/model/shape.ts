/**
 * The vocabulary that declares every kind of schema file and every widget's options. One declaration is a JSON Schema
 * (ajv checks files with it, editors complete from it), carries the defaults, and yields the TypeScript type of the
 * *expanded* value (`Static`): a key with a default is always present, a shorthand is already written out. The
 * compiler's expand and link phases follow the annotations (`names`, `keys`, `shorthand`, `discriminator`).
 */

/** What a string in a schema file names; the link phase resolves it and reports unknown names. */
export type NameRole =
  | 'label'
  | 'entity'
  | 'field'
  | 'dictionary'
  | 'screen'
  | 'link'
  | 'permission'
  | 'procedure'
  | 'directory'
  | 'template'
  | 'state'
  | 'action'
  | 'condition'
  | 'formula'
  | 'number'
  /**
   * `entity.field` · a field of the file's own entity, whatever the enclosing scope · a transition of the entity · a
   * whole filter · fields to sort by, separated by commas, with a leading - if descending.
   */
  | 'entityField'
  | 'ownField'
  | 'transition'
  | 'filter'
  | 'sort'
  /**
   * A type of message that roles may receive · a path of the API · a regular expression · the initial filters of a
   * list.
   */
  | 'messageType'
  | 'endpoint'
  | 'pattern'
  | 'filterDefault'
  /** A whole permission, declared by being named here · a role that comes with the files. */
  | 'declaredPermission'
  /** `reference.field`: a field of the record that a reference of the file's own entity points at. */
  | 'lookup'
  | 'role'
  /** A step on a record: `create`, `edit`, `delete`, one of its transitions or actions. */
  | 'step'
  /** An operation that a client may repeat by accident: `create` or one of the actions. */
  | 'repeatable'
  /** `entity.field` of a single-record entity: the setting of an engine policy. */
  | 'setting'

export interface Annotations {
  /** This value is a name with that role. */
  names?: NameRole
  /** Every key of this object is a name with that role. */
  keys?: NameRole
  /**
   * Field names beside and below this one belong to the entity that it names (for a screen: to that screen's entity).
   */
  scope?: true
  /** The file's expressions are about records of the entity under this key, regardless of its `entity`. */
  own?: true
  /** `{field}` in this text is filled from a record. */
  holes?: true
  /** The placeholders of this text: these words, and the record's fields if `fields` is set. Others are not filled. */
  fills?: { words: readonly string[]; fields?: true }
  /**
   * No two items of this list are equal. Objects are compared by these keys; a path may lead through lists
   * (`fields.field`: over all items together).
   */
  distinct?: true | readonly string[]
  /** A bare string `s` here is short for `{ [shorthand]: s }`. */
  shorthand?: string
  /** An example that matches the pattern, quoted in the message. */
  like?: string
  /** For one of several objects: other words for the one that distinguishes it. */
  alsoCalled?: readonly string[]
  /** For a condition: a plain `true` is meaningful here and not a warning. */
  mayBeTrue?: true
  /** `{…}` of this link is filled from the groups of a report, not from a record. */
  ofGroups?: true
  /** The value may not exceed the one under this key beside it; for a pattern, its minimum length counts. */
  atMost?: string
  /** A number of digits of a value, so the key under `atMost` is not itself a value. */
  digits?: true
  /** For a filter that no client sends: it may filter by what a reference points at, with `where`. */
  reaches?: true
  /** One line in each language, for editors and the generated reference. */
  about?: Label
}

interface JsonSchema extends Annotations {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  properties?: Record<string, Shape<unknown>>
  required?: string[]
  additionalProperties?: boolean | Shape<unknown>
  items?: Shape<unknown>
  anyOf?: Shape<unknown>[]
  oneOf?: Shape<unknown>[]
  discriminator?: { propertyName: string }
  default?: unknown
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

declare const type: unique symbol
/** A JSON Schema whose expanded value has the type `T`. */
export type Shape<T> = JsonSchema & { readonly [type]?: T }
/** The type of a shape's expanded value. */
export type Static<S> = S extends { readonly [type]?: infer T } ? T : never

type Maybe<T> = Shape<T> & { readonly optional: true }
type Properties = Record<string, Shape<unknown>>
type OptionalKeys<P> = { [K in keyof P]: P[K] extends { readonly optional: true } ? K : never }[keyof P]
type Flat<T> = { [K in keyof T]: T[K] }
type StaticObject<P> = Flat<
  { [K in Exclude<keyof P, OptionalKeys<P>>]: Static<P[K]> } & { [K in OptionalKeys<P>]?: Static<P[K]> }
>
/** An object with exactly these keys. */
export type ObjectShape<P extends Properties = Properties> = Shape<StaticObject<P>> & {
  properties: P
  required: string[]
}

export const string = (
  rest: Annotations & { default?: string; pattern?: string; minLength?: number } = {},
): Shape<string> => ({ type: 'string', ...rest })
export const integer = (
  rest: Annotations & { default?: number; minimum?: number; maximum?: number } = {},
): Shape<number> => ({ type: 'integer', ...rest })
export const number = (
  rest: Annotations & { default?: number; minimum?: number; maximum?: number } = {},
): Shape<number> => ({ type: 'number', ...rest })
export const boolean = (rest: Annotations & { default?: boolean } = {}): Shape<boolean> => ({
  type: 'boolean',
  ...rest,
})
export const unknown = (rest: Annotations & { default?: unknown } = {}): Shape<unknown> => ({ ...rest })
export const list = <T>(
  items: Shape<T>,
  rest: Annotations & { default?: T[]; minItems?: number; maxItems?: number } = {},
): Shape<T[]> => ({ type: 'array', items, ...rest })

/** An optional key that stays absent. (A key with a default is optional too, but present after expand.) */
export const optional = <T>(shape: Shape<T>): Maybe<T> => ({ ...shape, optional: true }) as unknown as Maybe<T>

/** One of the given words. */
export const oneOf = <const T extends string>(
  words: readonly T[],
  rest: Annotations & { default?: NoInfer<T> } = {},
): Shape<T> => ({ type: 'string', enum: words, ...rest })

/** An object with exactly these keys: unknown ones are refused. */
export function shape<P extends Properties>(
  properties: P,
  rest: Annotations & { default?: unknown } = {},
): ObjectShape<P> {
  const plain = Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const { optional: _, ...schema } = value as { optional?: true }
      return [key, schema]
    }),
  ) as P
  const required = Object.keys(properties).filter(
    (key) => !('optional' in properties[key]) && !('default' in properties[key]),
  )
  return { type: 'object', properties: plain, required, additionalProperties: false, ...rest }
}

/** Merges the keys of two objects. */
export const merged = <A extends Properties, B extends Properties>(a: ObjectShape<A>, b: ObjectShape<B>) =>
  ({
    ...a,
    properties: { ...a.properties, ...b.properties },
    required: [...a.required, ...b.required],
  }) as unknown as Shape<Flat<Static<ObjectShape<A>> & Static<ObjectShape<B>>>> & {
    properties: A & B
    required: string[]
  }

/** An object whose keys are free, or names with the role `keys`, and whose values share one shape. */
export const record = <T>(
  value: Shape<T>,
  rest: Annotations & { default?: Record<string, T> } = {},
): Shape<Record<string, T>> => ({ type: 'object', additionalProperties: value, ...rest })

/**
 * An object, or a bare string standing for `{ [key]: string }`. Its type is the object's, because expand writes the
 * string out.
 */
export const shorthand = <P extends Properties>(
  key: string & keyof P,
  object: ObjectShape<P>,
  rest: Annotations = {},
): Shape<StaticObject<P>> => ({ anyOf: [object.properties[key], object], shorthand: key, ...rest })

/** One of several shapes that differ in their JSON type (a string or a list, say). */
export const either = <T>(shapes: Shape<unknown>[], rest: Annotations & { default?: T } = {}): Shape<T> => ({
  anyOf: shapes,
  ...rest,
})

/** One of several objects, distinguished by the word under `property`. */
export const discriminated = <T>(property: string, shapes: Record<string, ObjectShape>): Shape<T> =>
  ({
    type: 'object',
    discriminator: { propertyName: property },
    required: [property],
    oneOf: Object.entries(shapes).map(([word, object]) => ({
      ...object,
      properties: { [property]: { const: word }, ...object.properties },
      required: [property, ...object.required],
    })),
  }) as Shape<T>

/** A text in every language of app.json. */
export interface Label {
  readonly [language: string]: string
}
export const label = (rest: Annotations = {}): Shape<Label> => ({
  type: 'object',
  additionalProperties: string({ minLength: 1 }),
  names: 'label',
  ...rest,
})

export const entityName = (rest: Annotations = {}) => string({ names: 'entity', scope: true, ...rest })
export const fieldName = (rest: Annotations = {}) => string({ names: 'field', ...rest })
export const dictionaryName = (rest: Annotations = {}) => string({ names: 'dictionary', ...rest })
/** An expression that is true or false. */
export const condition = (rest: Annotations = {}) => string({ names: 'condition', ...rest })
/** An expression that yields a value. */
export const formula = (rest: Annotations & { default?: string } = {}) => string({ names: 'formula', ...rest })

/** An expression that yields a number. */
export const numberFormula = (rest: Annotations = {}) => string({ names: 'number', ...rest })

/** Other paths for some of the operations that a screen calls: operation → path. */
export function endpoints<O extends string>(...operations: O[]): Shape<{ [operation in O]?: string }> {
  const path = optional(string({ names: 'endpoint', pattern: '^/[A-Za-z0-9/_-]+$', like: '/customer/list' }))
  const about = {
    cn: '操作 → 路径；其他后端的路径前缀写在 app.json 的 backends',
    en: 'Operation → path; prefixes of other back ends are listed in app.json under "backends"',
  }
  return shape(Object.fromEntries(operations.map((operation) => [operation, path])) as Record<O, typeof path>, {
    default: {},
    about,
  })
}

/** A filter of a list: field → a value (equals), a list of values (any of), or `{ operator: operand }`. */
export type Filter = Record<string, unknown>
export const filter = (rest: Annotations & { default?: Filter } = {}): Shape<Filter> =>
  record(unknown(), { names: 'filter', keys: 'field', ...rest })

/** A key of an object in the generated reference: `type` in JSON terms, with the allowed words of an enumeration. */
export interface ShapeRow {
  key: string
  type: string
  required: boolean
  default?: unknown
  about?: Label
  names?: NameRole
}

/** The allowed keys of an object, in order. */
export const rowsOf = ({ properties = {}, required = [] }: Shape<unknown>): ShapeRow[] =>
  Object.entries(properties).map(([key, under]) => ({
    key,
    type: typeText(under),
    required: required.includes(key),
    ...('default' in under && { default: under.default }),
    ...(under.about && { about: under.about }),
    ...(under.names && { names: under.names }),
  }))

/** `string`, `"a" | "b"`, `integer[]`, `string | object`. */
export function typeText(shape: Shape<unknown>): string {
  const { type, enum: words, const: word, anyOf, items, additionalProperties } = shape
  if (word !== undefined) return JSON.stringify(word)
  if (words) return words.map((each) => JSON.stringify(each)).join(' | ')
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(' | ')
  if (type === 'array' && items) return /[ |]/.test(typeText(items)) ? `(${typeText(items)})[]` : `${typeText(items)}[]`
  if (type === 'object' && typeof additionalProperties === 'object' && shape.names !== 'label')
    return `{ [key]: ${typeText(additionalProperties)} }`
  return shape.names === 'label' ? 'label' : (type ?? 'any')
}
