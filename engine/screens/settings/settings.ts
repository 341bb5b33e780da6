import { endpoints, label, optional, shape, pathOf } from '../../model/model.ts'
import type { Label, ScreenKind, Static } from '../../model/model.ts'
import { assembleSections, formSections, save } from '../form/form.ts'
import type { FormSection } from '../form/form.ts'

const settingsShape = shape({
  sections: formSections,
  submit: optional(label()),
  endpoints: endpoints('detail', 'update', 'history'),
})
export type SettingsFile = Static<typeof settingsShape>

export interface SettingsPlan {
  sections: FormSection[]
  submit: Label
  /** The permission to save. */
  permission: string
  /** The fields with a default that can be restored. */
  defaults: string[]
  paths: { detail: string; update: string; history: string }
}

/** The single record of an entity as a form that stays open after saving. */
export const settings: ScreenKind<SettingsFile, SettingsPlan> = {
  kind: 'settings',
  label: { cn: '参数设置', en: 'Settings' },
  shape: settingsShape,
  data: 'one',
  single: true,
  smallest: (_, { writable }) => ({ sections: [{ fields: writable }] }),
  assemble(file, scope) {
    const { name, endpoint, permissions, fields, single } = scope.entity()
    const singles = Object.values(scope.catalog.entities).filter((entity) => entity.single)
    if (!single) scope.issue('not-single', '/entity', { entity: name, allowed: singles.map((entity) => entity.name) })
    const sections = assembleSections(file.sections, 'edit', scope)
    const written = sections
      .flatMap((section) => section.fields)
      .filter(({ readOnly }) => !readOnly)
      .map(({ field }) => field)
    return {
      sections,
      submit: file.submit ?? save,
      permission: permissions.update,
      defaults: written.filter((field) => fields[field].default !== undefined),
      paths: {
        detail: file.endpoints.detail ?? pathOf(endpoint, 'detail'),
        update: file.endpoints.update ?? pathOf(endpoint, 'update'),
        history: file.endpoints.history ?? pathOf(endpoint, 'history'),
      },
    }
  },
}
