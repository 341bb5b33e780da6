import { grants } from '../../model/model.ts'
import { messageTypes } from '../linking/messages.ts'
import { permissionsOf } from '../linking/permissions.ts'
import { below } from '../../model/pointer.ts'
import { roleCode, roleEntity } from '../../model/identityNames.ts'
import { isObject, placesOf, type JsonObject } from '../walk.ts'
import { isBrought, type Whole } from './checkContext.ts'
import type { ExpandedFile, NamedField, Names } from '../named.ts'

interface Role {
  file: ExpandedFile
  row: JsonObject
  pointer: string
}

const rolesIn = (files: readonly ExpandedFile[]): Role[] =>
  files
    .filter(
      ({ source, value }) => source.kind === 'records' && value.entity === roleEntity && Array.isArray(value.rows),
    )
    .flatMap((file) =>
      (file.value.rows as unknown[]).flatMap((row, index) =>
        isObject(row) ? [{ file, row, pointer: `/rows/${index}` }] : [],
      ),
    )

/** The fields of a role with values of that kind. */
const fieldsOf = (names: Names, is: (field: NamedField) => boolean | undefined): string[] =>
  Object.values(names.entities[roleEntity]?.fields ?? {})
    .filter(is)
    .map(({ name }) => name)

const textsIn = (row: JsonObject, fields: readonly string[]): string[] =>
  fields.flatMap((field) => [row[field] ?? []].flat().map(String))

/** Warns about messages of a type that no role receives and no field addresses. */
export function checkReceivers({ files, names, warn }: Whole): void {
  const roles = rolesIn(files)
  const dictionary = messageTypes(names)
  if (!roles.length || !dictionary) return
  const fields = fieldsOf(names, ({ type, options }) => names.widgets[type].dictionary?.(options) === dictionary.name)
  const received = new Set(roles.flatMap(({ row }) => textsIn(row, fields)))
  for (const file of files) {
    if (isBrought(file.source)) continue
    for (const { shape, value, pointer, parent } of placesOf(file.value, file.shape)) {
      const toSome = isObject(parent?.value) && parent.value.to !== undefined
      if (shape.names === 'messageType' && !toSome && !received.has(String(value)))
        warn(file.source, pointer, 'unreceived-message', { found: value })
    }
  }
}

/** Warns about types of messages that neither a file nor the server sends. */
export function checkSenders({ files, names, warn }: Whole): void {
  const dictionary = messageTypes(names)
  if (!dictionary || !names.sends) return
  const sent = new Set(names.sends)
  for (const file of files)
    for (const { shape, value } of placesOf(file.value, file.shape))
      if (shape.names === 'messageType') sent.add(String(value))
  const own = files.find(({ source }) => source === dictionary.source)
  const choices = Array.isArray(own?.value.choices) ? own.value.choices : []
  for (const [index, choice] of choices.entries())
    if (isObject(choice) && !sent.has(String(choice.value)))
      warn(dictionary.source, `/choices/${index}/value`, 'unsent-message', { found: choice.value })
}

const writing = { create: 'add', update: 'edit', delete: 'delete' } as const

/** Warns about roles that may change records which they may not see. */
export function checkRoles({ files, names, warn }: Whole): void {
  const fields = fieldsOf(names, ({ type, options }) => names.widgets[type].permissions?.(options))
  for (const { file, row, pointer } of rolesIn(files)) {
    for (const field of fields) {
      const given = textsIn(row, [field])
      const [plain, patterns] = [new Set(given), given.filter((each) => each.includes('*'))]
      const may = (permission: string) =>
        plain.has(permission) || patterns.some((pattern) => grants(pattern, permission))
      for (const entity of Object.values(names.entities)) {
        if (entity.value.rowOf !== undefined) continue
        const permissions = permissionsOf(entity, names.entities)
        const parts = Array.isArray(entity.value.parts) ? entity.value.parts : []
        if (may(permissions.view) || parts.length > 0) continue
        const word = Object.entries(writing).find(([operation]) => {
          const permission = permissions[operation as keyof typeof writing]
          return Object.hasOwn(names.permissions, permission) && may(permission)
        })?.[1]
        if (word === undefined) continue
        const index = given.findIndex((pattern) => grants(pattern, permissions[operationOf(word)]))
        warn(file.source, below(below(pointer, field), index), 'edit-without-view', {
          role: String(row[roleCode]),
          word,
          found: permissions.view,
        })
      }
    }
  }
}

const operationOf = (word: string) => (word === 'add' ? 'create' : word === 'edit' ? 'update' : 'delete')
