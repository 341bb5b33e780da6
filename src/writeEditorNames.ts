import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Catalog } from '../engine/model/model.ts'
import { roleCode, roleEntity } from '../engine/model/identityNames.ts'
import { standard } from '../engine/screens/standardAction.ts'
import { editorNames } from '../engine/schema/tools/editorNames.ts'
import { lists } from './lists.ts'
import { namesPath } from './namesPath.ts'

/** Keeps the names that editors offer in schema files up to date. */
export function writeEditorNames({ entities, dictionaries, screens, permissions, presets }: Catalog): void {
  const roles = presets.filter(({ entity }) => entity === roleEntity).flatMap(({ rows }) => rows)
  const names = editorNames({
    fields: Object.fromEntries(Object.entries(entities).map(([name, { fields }]) => [name, Object.keys(fields)])),
    dictionaries: Object.keys(dictionaries),
    screens: Object.keys(screens),
    permissions: permissions.map(({ value }) => value),
    procedures: lists.procedures,
    roles: roles.map((row) => String(row[roleCode])),
    actions: [
      ...Object.keys(standard),
      ...Object.values(entities).flatMap(({ actions, states }) => [
        ...Object.keys(actions),
        ...states.flatMap(({ transitions }) => Object.keys(transitions)),
      ]),
    ],
  })
  if (existsSync(namesPath) && readFileSync(namesPath, 'utf8') === names) return
  mkdirSync(path.dirname(namesPath), { recursive: true })
  writeFileSync(namesPath, names)
}
