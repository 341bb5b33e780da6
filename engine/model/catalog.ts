/** The parts of a compiled catalog. */
import type { Entity } from './entity.ts'
import type { Dictionary } from './field.ts'
import type { IconName } from './icons.ts'
import type { Filter, Label } from './shape.ts'
import type { Opaque, Value } from './values.ts'

/** `label` names the operation, `group` its target: an entity, or a screen without one. */
export interface Permission {
  value: string
  label: Label
  area: string
  entity: string
  group: Label
}
/** `directories`: of the menu, below the area. */
export interface Area {
  name: string
  label: Label
  icon?: IconName
  directories: { name: string; label: Label; icon?: IconName; order: number }[]
}
/** Engine policies that administrators may set. */
export type PolicyName =
  | 'sessionMinutes'
  | 'signInFailures'
  | 'passwordDays'
  | 'defaultPassword'
  | 'importRows'
  | 'exportRows'
  | 'pictureMegabytes'
  | 'badgeMaximum'
  | 'logDays'

export interface App {
  title: Label
  languages: string[]
  theme: { colour: string }
  home: string
  areas: Area[]
  /** The `entity.field` of the setting for each policy; an unset policy uses its default. */
  policies: { [name in PolicyName]?: string }
}

export interface MenuEntry {
  order: number
  icon?: IconName
  parent?: string
  directory?: string
  label?: Label
  affix?: boolean
  /** What it counts: the first entry whose permission the user has. */
  badge?: { filter: Filter; permission?: string }[]
}

/** One screen, ready to be drawn: `body` is what its kind assembled. */
export interface ScreenPlan<Body = Opaque> {
  name: string
  kind: string
  area: string
  /** If absent, it is only opened from another screen, in a drawer or a dialog. */
  route?: string
  title: Label
  /** The query parameters that are part of the screen's identity. */
  parameters: { name: string; required: boolean }[]
  /** The parameter that selects a variant, with a plan for each of its values. */
  variants?: { parameter: string; plans: Record<string, ScreenPlan<Body>> }
  entity?: string
  /** The template and its file, if a family generated it. */
  template?: string
  permission: string
  /** Any of these opens it too: the permissions of the screens that it consists of. */
  opens?: string[]
  /**
   * Besides the permission, a role from each of these lists is needed: its own list, and those of its parent screens.
   */
  roles?: string[][]
  noCache: boolean
  menu?: MenuEntry
  /** The list it belongs to, for the breadcrumb and the open menu entry. */
  parent?: string
  body: Body
  file: string
}

/** The columns and indexes of an entity's table. */
export interface TablePlan {
  name: string
  /** It is one of the engine's own views, which the engine creates. */
  view?: true
  columns: {
    name: string
    type: string
    nullable: boolean
    references?: string
    was?: string
    /** The value of records that are there before the column: the state in which new ones begin. */
    initial?: string
  }[]
  /** `items`: each item of a list column is unique over all records. */
  unique: { columns: string[]; items?: true }[]
  /** `ascending`, `descending`: of records that are not deleted, in list order: by one column, empty values last. */
  indexes: { columns: string[]; method: 'btree' | 'trigram' | 'gin' | 'ascending' | 'descending' }[]
}

/** Records that come with the schema files, matched by `key`: regions, preset roles. */
export interface Preset {
  entity: string
  key: string
  rows: Record<string, Value>[]
  file: string
}

export interface Catalog {
  /** The hash of everything below. */
  hash: string
  app: App
  entities: Record<string, Entity>
  dictionaries: Record<string, Dictionary>
  screens: Record<string, ScreenPlan>
  /** route → screen name */
  routes: Record<string, string>
  permissions: Permission[]
  tables: Record<string, TablePlan>
  presets: Preset[]
  families: Families
}

/**
 * For every template its families in order, each with all of its parameters and the values that the template derives
 * from them.
 */
export type Families = Record<string, Record<string, Value>[]>
