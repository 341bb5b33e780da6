import type { Entity, Field, RecordData, Value, WidgetContext } from '../../../model/model.ts'
import { hidden } from '../../../expression/worded.ts'
import { seesWhole } from '../../identity/access.ts'
import type { Context } from '../../runtime.ts'
import { translateBroughtText } from './translateBroughtText.ts'

type SharedContext = Pick<WidgetContext, 'dictionary' | 'now'>

const known = new WeakMap<object, SharedContext>()

/** What widgets get from this context: the same for each value of each row of a file. */
export function sharedContextOf(context: Pick<Context, 'derived' | 'now'>): SharedContext {
  let shared = known.get(context)
  if (!shared) {
    shared = { dictionary: (name) => context.derived.catalog.dictionaries[name], now: () => context.now }
    known.set(context, shared)
  }
  return shared
}

export function widgetContext(context: Pick<Context, 'derived' | 'now'>, field: Field): WidgetContext {
  const { dictionary, now } = sharedContextOf(context)
  return { label: field.label, dictionary, now }
}

/** A value as one line of text, in the request's language unless another is given; '' if missing. */
export function textOf(
  context: Context,
  field: Field,
  value: Value | undefined,
  language: string = context.language,
): string {
  if (value === null || value === undefined) return ''
  return context.derived.widget(field).text(value, field.options, widgetContext(context, field), language)
}

/** For users who may not see the whole value; a widget without a mask hides everything. */
export function masked(context: Pick<Context, 'derived'>, field: Field, value: Value): Value {
  if (value === null) return null
  const widget = context.derived.widget(field)
  return widget.mask ? widget.mask(value, field.options) : hidden
}

/** A value as this user may see it anywhere: unmasked or masked. */
export function asSeen(context: Context, entity: Entity, field: Field, value: Value): Value {
  return seesWhole(context, entity, field)
    ? translateBroughtText(context.language, field, value)
    : masked(context, field, value)
}

/** The same as one line of text. */
export function textSeen(context: Context, entity: Entity, field: Field, value: Value): string {
  return seesWhole(context, entity, field)
    ? textOf(context, field, translateBroughtText(context.language, field, value))
    : String(masked(context, field, value) ?? '')
}

/** A value as everybody may read it, for texts that outlive the request: sensitive values are always masked. */
export const textForAll = (context: Context, field: Field, value: Value): string =>
  field.sensitive ? String(masked(context, field, value) ?? '') : textOf(context, field, value)

/** Whether this is the mask that was shown, sent back unchanged. */
export const isMaskOf = (context: Context, entity: Entity, field: Field, given: unknown, value: Value): boolean =>
  !seesWhole(context, entity, field) && given === masked(context, field, value)

/** The record as this user may see it. */
export function withMasks(context: Context, entity: Entity, record: RecordData): RecordData {
  const shown = { ...record }
  for (const field of Object.values(entity.fields)) {
    const value = shown[field.name]
    if (value === undefined || value === null) continue
    const { protect } = context.derived.widget(field)
    if (protect === 'hash') delete shown[field.name]
    else if (protect === 'encrypt')
      shown[field.name] = masked(context, field, context.runtime.secrets.decrypt(String(value)))
    else shown[field.name] = asSeen(context, entity, field, value)
  }
  return shown
}
