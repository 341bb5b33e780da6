/** The kinds of names that editors complete in schema files. */
const completed = ['entity', 'field', 'dictionary', 'screen', 'permission', 'procedure', 'role', 'action'] as const
export type Completed = (typeof completed)[number]

/** Those of them that are also keys of an object. */
const asKeys = ['field', 'permission'] as const
type KeyName = (typeof asKeys)[number]

/** The folder of the editor schemas. */
export const editorSchemas = 'engine/schema/editor'

/**
 * The file of names that they refer to, relative to that folder. A development server writes it while running, and
 * would restart if it changed below `engine`.
 */
export const namesFile = '../../../.vscode/names.schema.json'

/** Roles whose names are of another kind: a field of the file's own entity is a field. */
const likeOthers = new Map<unknown, Completed>([
  ['ownField', 'field'],
  ['sort', 'field'],
  ['declaredPermission', 'permission'],
  ['transition', 'action'],
])

/** Role of a name → the kind that editors complete it with. */
export const completedAs = (role: unknown): Completed | undefined =>
  likeOthers.get(role) ?? completed.find((each) => each === role)

/** The same for keys. */
export const keyCompletedAs = (role: unknown): `${KeyName}Key` | undefined => {
  const kind = asKeys.find((key) => key === completedAs(role))
  return kind && `${kind}Key`
}

export interface Declared {
  /** Entity → its fields. */
  fields: Readonly<Record<string, readonly string[]>>
  dictionaries: readonly string[]
  screens: readonly string[]
  permissions: readonly string[]
  procedures: readonly string[]
  roles: readonly string[]
  /** Actions and transitions, standard ones included. */
  actions: readonly string[]
}

/** All existing names, as a JSON Schema with a list of each kind. */
export function editorNames(declared: Declared): string {
  const { fields, dictionaries, screens, permissions, procedures, roles, actions } = declared
  const names: Record<Completed, readonly string[]> = {
    entity: Object.keys(fields),
    field: Object.values(fields).flat(),
    dictionary: dictionaries,
    screen: screens,
    permission: permissions,
    procedure: procedures,
    role: roles,
    action: actions,
  }
  const distinct = (kind: Completed) => [...new Set(names[kind])].toSorted()
  const lists = completed.map((kind) => [kind, { enum: distinct(kind) }])
  // Editors offer as keys only what an object's shape declares.
  const keys = asKeys.map((kind) => [
    `${kind}Key`,
    { properties: Object.fromEntries(distinct(kind).map((name) => [name, {}])) },
  ])
  const $defs = Object.fromEntries([...lists, ...keys]) as object
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', $defs }
  return `${JSON.stringify(schema, null, 1)}\n`
}
