import { declaredPermissions, grants, shape } from '../../model/model.ts'
import { fillText } from '../../model/fillText.ts'
import { comma, textIn } from '../../model/language.ts'
import type { Choice, Label, Static, Unread, Widget } from '../../model/model.ts'
import { malformed, problem } from '../problem.ts'
import { isNothing } from '../selection.ts'

const options = shape({})

const permissionCount: Label = { cn: '{n}项权限', en: '{n} permissions' }
const unknown: Label = { cn: '没有“{item}”这项权限', en: 'There is no permission "{item}"' }
/** Beyond this they are counted, not named. */
const mostNamed = 3

/** The permissions that these patterns grant; `*` stands for any part of one. */
export const grantedBy = (value: readonly string[], choices: readonly Choice[]): Choice[] =>
  choices.filter((choice) => value.some((pattern) => grants(pattern, choice.value)))

/**
 * The stored form of these ticked permissions: a pattern stays as long as everything that it grants is ticked, so that
 * a role keeps a whole area including new permissions; all others are stored individually.
 */
export function keepTicked(
  value: readonly string[],
  ticked: ReadonlySet<string>,
  choices: readonly Choice[],
): string[] | null {
  const kept = value.filter(
    (pattern) => pattern.includes('*') && grantedBy([pattern], choices).every((choice) => ticked.has(choice.value)),
  )
  const single = choices
    .map((choice) => choice.value)
    .filter((each) => ticked.has(each) && !kept.some((pattern) => grants(pattern, each)))
  const all = [...kept, ...single]
  return all.length > 0 ? all : null
}

/** A choice among the permissions that the schema files declare. */
export const permissionTree: Widget<Static<typeof options>, string[]> = {
  type: 'permission-tree',
  label: { cn: '权限', en: 'Permissions' },
  options,
  prompt: 'select',
  expression: 'list<string>',
  column: () => 'jsonb',
  dictionary: () => declaredPermissions,
  permissions: () => true,
  normalize(value): Unread {
    if (isNothing(value)) return null
    const items: unknown[] = Array.isArray(value) ? value : [value]
    if (!items.every((item) => typeof item === 'string')) return value
    const given = [...new Set(items.map((item) => item.trim()))].filter(Boolean)
    return given.length > 0 ? given : null
  },
  check(value: unknown, _options, context) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return malformed(context)
    const { choices } = context.dictionary(declaredPermissions)
    const item = value.find((pattern) => grantedBy([pattern], choices).length === 0)
    return item === undefined ? undefined : problem('permission', unknown, context, { item })
  },
  text(value, _options, context, language) {
    const granted = grantedBy(value, context.dictionary(declaredPermissions).choices)
    if (granted.length > mostNamed) return fillText(textIn(permissionCount, language), () => String(granted.length))
    return granted.map(({ label }) => textIn(label, language)).join(textIn(comma, language))
  },
  width: () => 160,
  operators: ['empty'],
  sortable: false,
}
