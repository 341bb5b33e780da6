import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { compileFormula, dependencies } from '../expression/index.ts'
import type { ActionPlan, EntityPlan, Label, ListResult, RecordData, ScreenBundle, Value } from '../model/model.ts'
import { holds, scopeOf, variableTypes } from '../expression/conditions.ts'
import type { VerdictContext } from '../expression/VerdictContext.ts'
import type { FormModel } from './formModel.ts'
import type { FormNodes } from './formNodes.ts'
import { verdictContext } from './formPlan.ts'
import { useClient } from './frame.ts'
import type { ClientContext } from './frame.ts'
import type { EngineContext } from './view.ts'

/**
 * Registry of what is on the page, for the inspector. Elements name what they belong to; nothing is computed until
 * requested.
 */
const forms = new Map<string, FormModel<FormNodes>>()
const screens = new Map<string, { bundle: ScreenBundle; engine: EngineContext; user: ClientContext['user'] }>()

export function useInspectedForm(model: FormModel<FormNodes>): void {
  useEffect(() => {
    forms.set(model.id, model)
    return () => {
      forms.delete(model.id)
    }
  }, [model])
}

export function useInspectedScreen(
  bundle: ScreenBundle,
  engine: EngineContext,
): { 'data-screen': string; 'data-place': string } {
  const { user } = useClient()
  const id = useId()
  useEffect(() => {
    screens.set(id, { bundle, engine, user })
    return () => {
      screens.delete(id)
    }
  }, [id, bundle, engine, user])
  return { 'data-screen': bundle.plan.name, 'data-place': id }
}

/**
 * A part of a visible screen: a column or filter of a list, a field of a form, an action; otherwise the whole screen.
 */
export interface ScreenPart {
  element: HTMLElement
  screen: string
  part: 'field' | 'column' | 'filter' | 'action' | 'screen'
  name: string
  label: Label | undefined
  /** The record and the rules that conditions are evaluated on; absent if there is no record. */
  around?: Around
  /** What is hidden of the screen, or of this record. */
  hidden: { part: 'field' | 'action'; name: string; label: Label; conditions: string[] }[]
}
export interface Around {
  entity: EntityPlan
  record: RecordData
  context: VerdictContext
}

/** The part of a screen that an element shows. `open`: the open screen, for overlays drawn above it. */
export function partAt(element: Element, open: Element | null, queries: QueryClient): ScreenPart | undefined {
  const place = element.closest<HTMLElement>('[data-place]') ?? open?.querySelector<HTMLElement>('[data-place]')
  const screen = place && screens.get(place.dataset.place!)
  if (!screen) return undefined
  const { bundle } = screen
  const found = element.closest<HTMLElement>('[data-field], [data-action]')
  const own = found && (place.contains(found) || !element.closest('[data-place]')) ? found : undefined
  const around = aroundOf(element, place, screen, queries)
  const { entity } = around ?? {
    entity: bundle.plan.entity === undefined ? undefined : bundle.entities[bundle.plan.entity],
  }
  const actions = actionsIn(bundle.plan)
  const common = { screen: bundle.plan.name, around, hidden: hiddenIn(place, element, around, actions) }
  if (own?.dataset.action !== undefined) {
    const name = own.dataset.action
    return {
      ...common,
      element: own,
      part: 'action',
      name,
      label: actions.find((action) => action.name === name)?.label,
      hidden: [],
    }
  }
  if (own?.dataset.field !== undefined) {
    const name = own.dataset.field
    const part = own.dataset.part === 'filter' ? 'filter' : own.matches('th, td') ? 'column' : 'field'
    return {
      ...common,
      element: own,
      part,
      name,
      label: entity?.fields[name]?.label,
      hidden: part === 'column' ? common.hidden : [],
    }
  }
  return { ...common, element: place, part: 'screen', name: '', label: bundle.plan.title }
}

type Known = NonNullable<ReturnType<typeof screens.get>>

function aroundOf(
  element: Element,
  place: HTMLElement,
  { bundle, engine, user }: Known,
  queries: QueryClient,
): Around | undefined {
  const name =
    element.closest<HTMLElement>('[data-form]')?.dataset.form ??
    place.querySelector<HTMLElement>('[data-form]')?.dataset.form
  const form = name === undefined ? undefined : forms.get(name)
  if (form) return { entity: form.entity, record: form.values(), context: form.context }
  const entity = bundle.plan.entity === undefined ? undefined : bundle.entities[bundle.plan.entity]
  const id = Number(element.closest<HTMLElement>('[data-record]')?.dataset.record)
  if (!entity || !id) return undefined
  const lists = queries.getQueriesData<ListResult>({
    queryKey: ['list', (bundle.plan.body as { paths: { list: string } }).paths.list],
  })
  const record = lists.flatMap(([, found]) => found?.list ?? []).findLast((each) => each.id === id)
  return record && { entity, record, context: verdictContext(engine, entity, user, null) }
}

function hiddenIn(
  place: HTMLElement,
  element: Element,
  around: Around | undefined,
  actions: ActionPlan[],
): ScreenPart['hidden'] {
  const name = place.querySelector<HTMLElement>('[data-form]')?.dataset.form
  const form = name === undefined ? undefined : forms.get(name)
  const fields = form
    ? [...form.laid.values()]
        .filter(({ field }) => !form.nodes.isVisible(field))
        .map(({ field, section }) => {
          const { label, visibleWhen } = form.entity.fields[field]
          return {
            part: 'field' as const,
            name: field,
            label,
            conditions: [visibleWhen, form.source.sections[section].visibleWhen].flatMap(
              (condition) => condition ?? [],
            ),
          }
        })
    : []
  // In a list, the actions that the row does not offer; elsewhere, those that the screen does not.
  const row = element.closest('[data-record]')
  const shown = new Set(
    [...(row ?? place).querySelectorAll<HTMLElement>('[data-action]')].map(({ dataset }) => dataset.action),
  )
  const missing = around
    ? actions.filter(
        (action) =>
          (action.on === 'row') === Boolean(row) &&
          !shown.has(action.name) &&
          action.shownWhen !== undefined &&
          judge(action.shownWhen, around)?.holds === false,
      )
    : []
  return [
    ...fields,
    ...missing.map((action) => ({
      part: 'action' as const,
      name: action.name,
      label: action.label,
      conditions: [action.shownWhen!],
    })),
  ]
}

function actionsIn(value: unknown): ActionPlan[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'do' in value && 'on' in value && 'permission' in value ? [value as ActionPlan] : []
  return [...own, ...Object.values(value).flatMap(actionsIn)]
}

/** The current result of a condition on the record, and the values that it reads. */
export interface Judged {
  holds: boolean
  because: { name: string; value: string }[]
}

/** Undefined if the text is not a condition over the record. */
export function judge(condition: string, { entity, record, context }: Around): Judged | undefined {
  try {
    const types = variableTypes(entity, context)
    const scope = scopeOf(record, context)
    const valueOf = (name: string) => textOf(compileFormula(name, types)(scope) as Value)
    return {
      holds: holds(condition, true, entity, record, context),
      because: dependencies(condition).map((name) => ({ name, value: valueOf(name) })),
    }
  } catch {
    return undefined
  }
}

/** As a condition would write it. */
function textOf(value: Value | undefined): string {
  if (value === null || value === undefined || value === '') return '∅'
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  if (typeof value === 'object') return String(value.name ?? value.id ?? JSON.stringify(value))
  return String(value)
}
