/** What a compiled catalog is made of. */
import type { Dictionary, Entity } from './entity.ts'
import type { IconName } from './icons.ts'
import type { Filter, Label } from './shape.ts'
import type { Opaque, Value } from './values.ts'

/** `label` names the operation, `group` what it is done to: an entity, or a screen without one. */
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
/** What the engine keeps to by itself, where administrators may set it. */
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
  /** `entity.field` of the settings that say it; what none says is as usual. */
  policies: { [name in PolicyName]?: string }
}

export interface MenuEntry {
  order: number
  icon?: IconName
  parent?: string
  directory?: string
  label?: Label
  affix?: boolean
  /** What it counts: the first whose permission the user has. */
  badge?: { filter: Filter; permission?: string }[]
}

/** One screen, ready to be drawn: `body` is what its kind assembled. */
export interface ScreenPlan<Body = Opaque> {
  name: string
  kind: string
  area: string
  /** Absent: opened only from another screen, in a drawer or a dialog. */
  route?: string
  title: Label
  /** The query parameters that are part of the screen's identity. */
  parameters: { name: string; required: boolean }[]
  /** Those of them that choose a variant: the values of one parameter, each with its own plan. */
  variants?: { parameter: string; plans: Record<string, ScreenPlan<Body>> }
  entity?: string
  /** The template and its file, where a family made it. */
  template?: string
  permission: string
  /** Each of these opens it too: those of the screens that it is made of. */
  opens?: string[]
  /**
   * One role of each of these lists is needed beside the permission: its own list, and those of the screens that it
   * belongs to.
   */
  roles?: string[][]
  noCache: boolean
  menu?: MenuEntry
  /** The list it belongs to, for the breadcrumb and the open menu entry. */
  parent?: string
  body: Body
  file: string
}

/** The columns and indexes that an entity's records are kept in. */
export interface TablePlan {
  name: string
  /** It is the engine's own, and made by it. */
  view?: true
  columns: { name: string; type: string; nullable: boolean; references?: string; was?: string }[]
  /** `items`: of a list column each item is unique by itself, over all records. */
  unique: { columns: string[]; items?: true }[]
  /** `ascending`, `descending`: of living records, in the order of a list: by one column, the empty ones last. */
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
  /** Of all that follows. */
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
 * Of every template its families in their order, each with all of its parameters and what the template works out of
 * them.
 */
export type Families = Record<string, Record<string, Value>[]>
