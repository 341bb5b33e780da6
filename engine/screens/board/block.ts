import { departmentEntity } from '../../model/identityNames.ts'
import { dependencies } from '../../expression/index.ts'
import {
  condition,
  discriminated,
  entityName,
  fieldName,
  filter,
  filterValues,
  integer,
  label,
  list,
  oneOf,
  optional,
  record,
  shape,
  string,
} from '../../model/model.ts'
import type { AssembleScope, Label, RecordsBlock, Static, TagColour } from '../../model/model.ts'
import { assembleGrouped, groupedShapes } from './numbers.ts'
import type { BoardNumbers, GroupedFile } from './numbers.ts'

/** Records of an entity on a board: one picture at a time, or one line each. */
const recordsShape = shape({
  name: string(),
  label: label(),
  entity: entityName(),
  /** The permission to see the block; by default the one to view the entity. */
  permission: optional(string({ names: 'permission' })),
  filter: filter({ default: {} }),
  sort: optional(
    string({
      names: 'sort',
      about: {
        cn: '字段名，前加 - 为倒序，多个以逗号分隔',
        en: 'Fields separated by commas; a leading - means descending',
      },
    }),
  ),
  limit: integer({ default: 5, minimum: 1, maximum: 50 }),
  departments: optional(
    fieldName({
      about: {
        cn: '只显示此字段未指定部门，或含用户部门及其上级的记录',
        en: "Shows only records of the user's department, of one above it, or of none",
      },
    }),
  ),
  /** Only for `pictures`. */
  image: optional(fieldName()),
  /** The title field; by default the entity's display field. */
  text: optional(fieldName()),
  /** Shown in small type beside it. */
  fields: list(fieldName(), { distinct: true, default: [] }),
  marks: list(
    shape({ when: condition(), tag: oneOf(['info', 'primary', 'success', 'warning', 'danger']), label: label() }),
    { default: [] },
  ),
  /**
   * What a click opens: the first whose condition holds. `address` names a field with a route of the app or a web
   * address.
   */
  open: list(
    shape({
      when: optional(condition()),
      drawer: optional(string({ names: 'screen' })),
      query: optional(record(string())),
      address: optional(fieldName()),
    }),
    { default: [] },
  ),
  /** A link to all of them. */
  more: optional(string({ names: 'link' })),
})
export type RecordsFile = { kind: 'pictures' | 'records' } & Static<typeof recordsShape>
export type BlockFile = RecordsFile | GroupedFile
export const blockShape = discriminated<BlockFile>('kind', {
  pictures: recordsShape,
  records: recordsShape,
  ...groupedShapes,
})

export interface BlockOpening {
  when?: string
  drawer?: { screen: string; query: Record<string, string> }
  address?: string
}
export interface BoardRecords extends RecordsBlock {
  kind: 'pictures' | 'records'
  label: Label
  image?: string
  text: string
  shown: string[]
  marks: { when: string; tag: TagColour; label: Label }[]
  open: BlockOpening[]
  more?: string
}
export type BoardBlock = BoardRecords | BoardNumbers

export const assembleBlock = (file: BlockFile, pointer: string, scope: AssembleScope): BoardBlock =>
  file.kind === 'chart' || file.kind === 'figures'
    ? assembleGrouped(file, pointer, scope)
    : assembleRecords(file, pointer, scope)

function assembleRecords(file: RecordsFile, pointer: string, scope: AssembleScope): BoardRecords {
  const entity = scope.catalog.entities[file.entity]
  const { kind, name, label, image, sort, limit, departments, marks, more } = file
  if (kind === 'pictures' && image === undefined) scope.issue('missing-key', pointer, { found: 'image' })
  const target =
    departments === undefined
      ? undefined
      : scope.widgets[entity.fields[departments].type].target?.(entity.fields[departments].options)
  if (departments !== undefined && target?.entity !== departmentEntity) {
    scope.issue('not-a-reference', `${pointer}/departments`, {
      entity: entity.name,
      found: departments,
      target: departmentEntity,
    })
  }
  const text = file.text ?? entity.display
  const open = file.open.map(({ when, drawer, query = {}, address }): BlockOpening => ({
    ...(when !== undefined && { when }),
    ...(drawer !== undefined && { drawer: { screen: drawer, query } }),
    ...(address !== undefined && { address }),
  }))
  const conditions = [...marks, ...open].flatMap(({ when }) => when ?? [])
  const queries = open
    .flatMap(({ drawer }) => Object.values(drawer?.query ?? {}))
    .flatMap((value) => [...value.matchAll(/\{(\w+)\}/g)].map(([, hole]) => hole))
  const read = [
    text,
    image ?? [],
    file.fields,
    open.flatMap(({ address }) => address ?? []),
    queries,
    conditions.flatMap(dependencies),
  ].flat()
  return {
    kind,
    name,
    label,
    entity: entity.name,
    permission: scope.permission(file.permission ?? 'view', entity.name),
    filter: filterValues(file.filter),
    ...(sort !== undefined && { sort }),
    limit,
    ...(departments !== undefined && { departments }),
    fields: [...new Set(read)].filter((each) => Object.hasOwn(entity.fields, each)),
    ...(image !== undefined && { image }),
    text,
    shown: file.fields,
    marks,
    open,
    ...(more !== undefined && { more }),
  }
}
