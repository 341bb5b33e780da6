import {
  boolean,
  condition,
  endpoints,
  fieldName,
  formula,
  integer,
  label,
  list,
  oneOf,
  optional,
  record,
  shape,
  string,
  shorthand,
  unknown,
  pathOf,
} from '../../model/model.ts'
import type { ActionPlan, AssembleScope, Label, ScreenKind, Shape, Static, Value } from '../../model/model.ts'
import { actionsShape, assembleActions } from '../action.ts'
import { openersOf } from '../standardAction.ts'
import { checkId } from '../checkId.ts'
import { titleOf } from '../titleOf.ts'

const formField = shorthand(
  'field',
  shape({
    field: fieldName(),
    label: optional(label()),
    hint: optional(label()),
    /** Columns that it spans, of 24; default 8, or 24 for a wide widget. */
    span: optional(integer({ minimum: 4, maximum: 24 })),
    /** Visible but not editable on this screen. */
    readOnly: optional(boolean()),
    /** A small button beside the label that copies another field's value. */
    copy: optional(shape({ label: label(), from: formula() })),
  }),
)

export const formSections = list(
  shape({
    title: optional(label()),
    fields: list(formField, { minItems: 1 }),
    visibleWhen: optional(condition()),
    hint: optional(label()),
  }),
  { minItems: 1, distinct: ['fields.field'] },
)

const formShape = shape({
  mode: oneOf(['create', 'edit', 'read'], { default: 'create' }),
  sections: formSections,
  /** Bars above the form. */
  notices: list(
    shape({
      when: condition(),
      kind: oneOf(['info', 'warning', 'error'], { default: 'info' }),
      title: label(),
      field: optional(fieldName()),
    }),
    { default: [] },
  ),
  /** When an input of `watch` is left: sets `to` if it is empty. Warns when `warnWhen` holds. */
  warnings: list(
    shape({
      at: fieldName(),
      when: condition(),
      message: label({ fills: { words: [], fields: true } }),
      link: optional(
        string({ names: 'link', about: { cn: '点击后打开的地址', en: 'The address that a click opens' } }),
      ),
    }),
    { default: [] },
  ),
  /** Initial values of a new record on this screen. */
  preset: record(unknown(), { keys: 'field', default: {} }) as Shape<Record<string, Value>>,
  submit: optional(label()),
  saved: optional(
    label({
      about: { cn: '保存后的提示，缺省为“保存成功”', en: 'The message after a save, instead of the usual one' },
    }),
  ),
  /** Further buttons that save: the action, usually a transition, then runs on the saved record. */
  saveAnd: actionsShape,
  actions: actionsShape,
  endpoints: endpoints('detail', 'create', 'update'),
})
export type FormFile = Static<typeof formShape>

export interface FormField {
  field: string
  label: Label
  hint?: Label
  span: number
  readOnly: boolean
  copy?: { label: Label; from: string }
}
export interface FormSection {
  title?: Label
  hint?: Label
  visibleWhen?: string
  fields: FormField[]
}
export interface FormPlan {
  mode: 'create' | 'edit' | 'read'
  /** What must hold of the record as read: without it the form is only read. */
  editWhen?: string
  sections: FormSection[]
  notices: { when: string; kind: 'info' | 'warning' | 'error'; title: Label; field?: string }[]
  warnings: { at: string; when: string; message: Label; link?: string }[]
  preset: Record<string, Value>
  submit: Label
  /** The message after a save, if not the default. */
  saved?: Label
  /** The permission to save. */
  permission: string
  /** Actions that follow a save. */
  saveAnd: ActionPlan[]
  actions: ActionPlan[]
  paths: { detail: string; create: string; update: string }
  /** The target after saving or cancelling. */
  back?: string
}

/** One form for creating and editing records. */
const addsAndEdits = (label: Label) => ({
  parameters: ['type'],
  variants: {
    type: {
      add: { mode: 'create' },
      edit: { mode: 'edit', title: titleOf(label, { cn: '编辑{}', en: 'Edit {}' }), parameters: ['type', 'id'] },
    },
  },
})

const operations = { create: 'create', edit: 'update', read: 'view' } as const
export const save: Label = { cn: '保存', en: 'Save' }

export const form: ScreenKind<FormFile, FormPlan> = {
  kind: 'form',
  label: { cn: '表单', en: 'Form' },
  shape: formShape,
  data: 'one',
  openedBy: openersOf('form'),
  operation: ({ mode }) => operations[mode],
  offers: ({ mode }) => mode,
  smallest({ display, fields, allow, label }, { writable }) {
    const sections = [{ fields: writable.filter((name) => name === display || fields[name].required) }]
    if (allow.create === false) return { mode: 'edit', parameters: ['id'], sections }
    return allow.update === false ? { sections } : { ...addsAndEdits(label), sections }
  },
  ofNew: ({ name, field, label, route, parent }) => ({
    route: `${route}/edit`,
    entity: name,
    title: titleOf(label, { cn: '新增{}', en: 'Add {}' }),
    parent,
    ...addsAndEdits(label),
    sections: [{ title: label, fields: [field] }],
  }),
  assemble(file, scope) {
    const { endpoint, permissions, allow } = scope.entity()
    const { mode, endpoints } = file
    if (mode === 'create') checkRequired(file, scope)
    else checkId(file.parameters, scope)
    const back = file.parent === undefined ? undefined : scope.screen(file.parent)?.route
    // Another back end decides itself what it accepts.
    const editWhen = mode === 'edit' && endpoints.update === undefined ? allow.update : true
    return {
      mode,
      ...(typeof editWhen === 'string' && { editWhen }),
      sections: assembleSections(file.sections, mode, scope),
      notices: file.notices,
      warnings: file.warnings.map(({ at, when, message, link }) => ({ at, when, message, ...(link && { link }) })),
      preset: file.preset,
      submit: file.submit ?? save,
      ...(file.saved && { saved: file.saved }),
      permission: permissions[operations[mode]],
      saveAnd: assembleActions(file.saveAnd, { scope, pointer: '/saveAnd', on: 'footer' }),
      actions: assembleActions(file.actions, { scope, pointer: '/actions', on: 'footer' }),
      paths: {
        detail: endpoints.detail ?? pathOf(endpoint, 'detail'),
        create: endpoints.create ?? pathOf(endpoint, 'create'),
        update: endpoints.update ?? pathOf(endpoint, 'update'),
      },
      ...(back !== undefined && { back }),
    }
  },
}

/** Fields required of a new record that only this form could fill in. */
function checkRequired({ sections, preset }: FormFile, scope: AssembleScope): void {
  const { name: entity, fields, saves } = scope.entity()
  const prompted = new Set(
    sections.flatMap(({ fields }) => fields.flatMap(({ field, readOnly }) => (readOnly ? [] : [field]))),
  )
  const always = saves.filter(({ on, when, changed }) => on === 'create' && when === undefined && changed === undefined)
  const set = new Set(always.flatMap(({ set }) => Object.keys(set)))
  for (const field of Object.values(fields)) {
    const isGiven =
      field.readOnly ||
      (preset[field.name] ?? null) !== null ||
      field.default !== undefined ||
      field.defaultFrom !== undefined ||
      field.computed !== undefined ||
      scope.widgets[field.type].series !== undefined ||
      set.has(field.name)
    if (field.required && !isGiven && !prompted.has(field.name))
      scope.issue('missing-field', '/sections', { entity, found: field.name })
  }
}

export const assembleSections = (
  sections: FormFile['sections'],
  mode: FormPlan['mode'],
  scope: AssembleScope,
): FormSection[] =>
  sections.map((section) => ({ ...section, fields: section.fields.map((field) => assembleField(field, mode, scope)) }))

function assembleField(
  file: FormFile['sections'][number]['fields'][number],
  mode: FormPlan['mode'],
  scope: AssembleScope,
): FormField {
  const field = scope.entity().fields[file.field]
  const widget = scope.widgets[field.type]
  const hint = file.hint ?? field.hint
  const whole = widget.html || widget.target?.(field.options)?.rows !== undefined
  return {
    field: file.field,
    label: file.label ?? field.label,
    ...(hint && { hint }),
    span: file.span ?? (whole ? 24 : 8),
    readOnly:
      mode === 'read' ||
      file.readOnly === true ||
      field.readOnly ||
      field.computed !== undefined ||
      (widget.series !== undefined && !widget.given?.(field.options)),
    ...(file.copy && { copy: file.copy }),
  }
}
