/** The kinds of names that editors complete in schema files. */
const completed = ['entity', 'field', 'dictionary', 'screen', 'permission', 'procedure', 'role'] as const
export type Completed = (typeof completed)[number]

/** The folder of the editor schemas. */
export const editorSchemas = 'engine/schema/editor'

/**
 * The file of names that they refer to, relative to that folder. A development server writes it while running, and
 * would restart if it changed below `engine`.
 */
export const namesFile = '../../../.vscode/names.schema.json'

/** Role of a name → the kind that editors complete it with: a field of the file's own entity is a field. */
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

/** All existing names, as a JSON Schema with a list of each kind. */
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
