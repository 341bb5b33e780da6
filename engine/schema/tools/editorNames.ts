/** What a name in a schema file may be of, as far as editors complete it. */
const completed = ['entity', 'field', 'dictionary', 'screen', 'permission', 'procedure', 'role'] as const
export type Completed = (typeof completed)[number]

/** Where the schemas of the file kinds are. */
export const editorSchemas = 'engine/schema/editor'

/**
 * What those refer to, seen from there. It is written while a server runs in development, which would start again if
 * it changed below `engine`.
 */
export const namesFile = '../../../.vscode/names.schema.json'

/** Role of a name → that of which editors complete it: a field of the file's own entity is a field. */
export const completedAs = (role: unknown): Completed | undefined =>
  role === 'ownField' ? 'field' : role === 'declaredPermission' ? 'permission' : completed.find((one) => one === role)

export interface Declared {
  /** Entity → its fields. */
  fields: Readonly<Record<string, readonly string[]>>
  dictionaries: readonly string[]
  screens: readonly string[]
  permissions: readonly string[]
  procedures: readonly string[]
  roles: readonly string[]
}

/** The names that there are, as a JSON Schema with a list of each kind. */
export function editorNames({ fields, dictionaries, screens, permissions, procedures, roles }: Declared): string {
  const names: Record<Completed, readonly string[]> = {
    entity: Object.keys(fields),
    field: Object.values(fields).flat(),
    dictionary: dictionaries,
    screen: screens,
    permission: permissions,
    procedure: procedures,
    role: roles,
  }
  const lists = Object.entries(names).map(([kind, each]) => [kind, { enum: [...new Set(each)].toSorted() }])
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', $defs: Object.fromEntries(lists) as object }
  return `${JSON.stringify(schema, null, 1)}\n`
}
