import { textIn } from './language.ts'
import type { Entity } from './entity.ts'
import { below } from './pointer.ts'
import { exported, listed, oneId, oneOrTheOnly, pages, type QueryParameter, search } from './queryParameters.ts'

/** The path of a standard operation. */
export const pathOf = (endpoint: string, name: StandardOperation): string => `${endpoint}/${name}`

type Permission = keyof Entity['permissions']

/** What determines an entity's operations besides the entity itself. */
export interface Surroundings {
  /** Its records are import batches. */
  isBatches?: boolean
  /** Fields of other entities refer to it. */
  isReferred?: boolean
}

export interface OperationRow {
  method: 'GET' | 'POST'
  /** Query parameters; none by default. */
  parameters?: Readonly<Record<string, QueryParameter>>
  /** The body's shape, by its name in the server's `wire.ts`. */
  body?: 'save' | 'call' | 'read' | 'order' | 'suggest'
  result:
    | 'list'
    | 'record'
    | 'offered'
    | 'changes'
    | 'unique'
    | 'problems'
    | 'file'
    | 'saved'
    | 'called'
    | 'values'
    | 'outlook'
    | 'counted'
  /** Which entities have it; by default those with a table of their own. */
  when?(entity: Entity, surroundings: Surroundings): boolean
  /** The operations' names in the entity's file; by default the row's name. */
  names?(entity: Entity): string[]
  /** Any one of them is enough; absent if it depends on more, and the operation checks it itself. */
  permission?: Permission | readonly Permission[] | ((entity: Entity, name: string) => string)
  summary: string | ((entity: Entity, name: string) => string | undefined)
  /** A pointer to its declaration in the entity's file. */
  pointer?(entity: Entity, name: string, written: unknown): string
}

/** Whether its records have a table of their own that operations may write. */
export const isStored = ({ rowOf, engine }: Entity): boolean => !rowOf && !engine
const transitionOf = ({ states }: Entity, name: string) =>
  states.map(({ transitions }) => (Object.hasOwn(transitions, name) ? transitions[name] : undefined)).find(Boolean)
const calledOf = (entity: Entity, name: string) => transitionOf(entity, name) ?? entity.actions[name]
/** What a form may do: an operation for forms needs one of these permissions. */
export const form = ['create', 'update'] as const

/**
 * The operations on an entity's records. Routes, query parameters, permissions, the API document, the client's paths
 * and the analyst's tools are all derived from this table. What a row does is in the server's `operations.ts`, under
 * the row's name.
 */
export const operations = {
  list: {
    method: 'GET',
    parameters: listed,
    result: 'list',
    when: ({ rowOf }) => !rowOf,
    permission: 'view',
    summary: 'List',
  },
  detail: {
    method: 'GET',
    parameters: oneOrTheOnly,
    result: 'record',
    when: ({ rowOf }) => !rowOf,
    permission: 'view',
    summary: 'One record',
  },
  options: {
    method: 'GET',
    parameters: {
      ...search,
      id: { type: 'string', about: 'Chosen records, separated by commas' },
      filters: { type: 'string', about: 'JSON, as those of a list; a tree is offered whole' },
      all: {
        type: 'string',
        about: 'true: also what is usually not offered, with the filters of a reference that says so',
      },
      ...pages,
    },
    result: 'offered',
    // Rows are only read through their owner, except to offer them for references.
    when: (entity, { isReferred }) => isStored(entity) || (entity.rowOf !== undefined && isReferred === true),
    summary: 'What a reference offers',
  },
  history: {
    method: 'GET',
    parameters: { ...oneOrTheOnly, ...pages },
    result: 'changes',
    permission: 'view',
    summary: 'Changes',
  },
  export: {
    method: 'GET',
    parameters: exported,
    result: 'file',
    when: ({ rowOf }) => !rowOf,
    permission: 'export',
    summary: 'Export',
  },
  unique: {
    method: 'GET',
    parameters: {
      field: { type: 'string', required: true },
      value: { type: 'string', required: true },
      ...oneOrTheOnly,
      within: { type: 'integer', about: 'The value of the field within which it is unique' },
    },
    result: 'unique',
    permission: form,
    summary: 'Is the value free?',
  },
  lookup: {
    method: 'GET',
    parameters: { field: { type: 'string', required: true }, ...oneId },
    result: 'record',
    permission: form,
    summary: 'Values looked up through a reference',
  },
  download: {
    method: 'GET',
    parameters: exported,
    result: 'file',
    names: ({ downloads = {} }) => Object.keys(downloads),
    permission: ({ downloads }, name) => downloads![name].permission,
    summary: ({ downloads }, name) => textIn(downloads![name].label, 'en'),
    pointer: (_entity, name) => below('/downloads', name),
  },
  template: {
    method: 'GET',
    result: 'file',
    when: (_entity, { isBatches }) => isBatches === true,
    permission: ({ permissions }) => permissions.view.replace(/[^:]+$/, 'template'),
    summary: 'The file to fill in',
  },
  original: {
    method: 'GET',
    parameters: oneId,
    result: 'file',
    when: (_entity, { isBatches }) => isBatches === true,
    permission: 'view',
    summary: 'The file as it was uploaded',
  },
  failures: {
    method: 'GET',
    parameters: oneId,
    result: 'file',
    when: (_entity, { isBatches }) => isBatches === true,
    permission: 'export',
    summary: 'The failed rows, with the reasons',
  },
  problems: {
    method: 'GET',
    parameters: oneId,
    result: 'problems',
    when: (_entity, { isBatches }) => isBatches === true,
    permission: 'view',
    summary: 'The number of rows with each problem',
  },
  create: {
    method: 'POST',
    body: 'save',
    result: 'saved',
    when: (entity) => isStored(entity) && !entity.single,
    permission: 'create',
    summary: 'Create',
  },
  update: { method: 'POST', body: 'save', result: 'saved', permission: 'update', summary: 'Update' },
  delete: {
    method: 'POST',
    body: 'call',
    result: 'called',
    when: (entity) => isStored(entity) && !entity.single,
    permission: 'delete',
    summary: 'Delete',
  },
  transition: {
    method: 'POST',
    body: 'call',
    result: 'called',
    names: ({ states }) => states.flatMap(({ transitions }) => Object.keys(transitions)),
    permission: (entity, name) => transitionOf(entity, name)!.permission,
    summary: (entity, name) => textIn(transitionOf(entity, name)!.label, 'en'),
    pointer: ({ states }, name, written) =>
      below(
        pointerOfTransitions(
          written,
          states.findIndex(({ transitions }) => Object.hasOwn(transitions, name)),
        ),
        name,
      ),
  },
  action: {
    method: 'POST',
    body: 'call',
    result: 'called',
    names: ({ actions }) => Object.keys(actions),
    permission: ({ actions }, name) => actions[name].permission,
    summary: ({ actions }, name) => textIn(actions[name].label, 'en'),
    pointer: (_entity, name) => below('/actions', name),
  },
  prepare: {
    method: 'POST',
    body: 'call',
    result: 'values',
    names: ({ actions }) =>
      Object.keys(actions).flatMap((name) => (actions[name].prepare === undefined ? [] : [`${name}/prepare`])),
    permission: ({ actions }, name) => actions[actionOf(name)].permission,
    summary: ({ actions }, name) => `Initial values of the dialog: ${textIn(actions[actionOf(name)].label, 'en')}`,
    pointer: (_entity, name) => below(below('/actions', actionOf(name)), 'prepare'),
  },
  foresee: {
    method: 'POST',
    body: 'call',
    result: 'outlook',
    names: (entity) =>
      [
        ...entity.states.flatMap(({ transitions }) => Object.values(transitions)),
        ...Object.values(entity.actions),
      ].flatMap(({ name, foresee }) => (foresee ? [`${name}/foresee`] : [])),
    permission: (entity, name) => calledOf(entity, actionOf(name)).permission,
    summary: (entity, name) => `What it would come to: ${textIn(calledOf(entity, actionOf(name)).label, 'en')}`,
  },
  read: {
    method: 'POST',
    body: 'read',
    result: 'counted',
    when: (entity) => isStored(entity) && entity.reads !== undefined,
    permission: 'view',
    summary: 'Counts the user among the readers',
    pointer: () => '/reads',
  },
  suggest: {
    method: 'POST',
    body: 'suggest',
    result: 'values',
    when: (entity) => isStored(entity) && entity.suggests !== undefined,
    permission: form,
    summary: 'Suggested values for a form that is being filled in',
    pointer: () => '/suggests',
  },
  order: {
    method: 'POST',
    body: 'order',
    result: 'saved',
    when: (entity) => isStored(entity) && entity.tree?.order !== undefined,
    permission: 'update',
    summary: 'Moves a node of a tree',
    pointer: () => '/tree',
  },
} as const satisfies Record<string, OperationRow>

export type OperationKind = keyof typeof operations
/** Operations with the same name for every entity. */
export type StandardOperation = Exclude<OperationKind, 'download' | 'transition' | 'action' | 'prepare' | 'foresee'>
/** The query parameters of an operation, for callers. */
export type QueryOf<K extends OperationKind> = (typeof operations)[K] extends { parameters: infer P }
  ? { [name in keyof P]?: unknown }
  : Record<string, never>

/** The query parameters of an operation, without the common ones. */
export const parametersOf = (kind: OperationKind): Readonly<Record<string, QueryParameter>> =>
  (operations[kind] as OperationRow).parameters ?? {}

/** The action or transition that a `prepare` or `foresee` path belongs to. */
export const actionOf = (name: string): string => name.split('/')[0]

/** A single state machine may be written without a list around it. */
export const pointerOfTransitions = (written: unknown, index: number): string =>
  Array.isArray((written as { states?: unknown }).states) ? `/states/${index}/transitions` : '/states/transitions'
