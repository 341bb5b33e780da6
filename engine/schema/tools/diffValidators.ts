import { differs, fieldWords, paired, words, type Difference, type Renames } from './difference.ts'
import { madeDictionaryNames, type Catalog, type Dictionary, type Entity, type Field } from '../../model/model.ts'

type Change = Pick<Difference, 'change' | 'text'>

/** Changes in validation: what is refused in addition, and what no longer is. */
export function diffValidators(before: Catalog, after: Catalog, renames: Renames): Difference[] {
  const dictionaries = paired(before.dictionaries, after.dictionaries)
  const entities = paired(before.entities, after.entities)
  return [
    ...dictionaries.both.flatMap((name) =>
      diffChoices(before.dictionaries[name], after.dictionaries[name]).map((choice): Difference => ({
        group: 'validators',
        of: `dictionary ${name}`,
        ...choice,
      })),
    ),
    ...entities.both.flatMap((name) =>
      diffEntity(before.entities[name], after.entities[name], renames[name] ?? {}).map((change): Difference => ({
        group: 'validators',
        of: name,
        ...change,
      })),
    ),
  ]
}

/** Permissions that the compiler generates follow from entities, which are listed themselves. */
function diffChoices(former: Dictionary, now: Dictionary): Change[] {
  if (madeDictionaryNames.includes(now.name)) return []
  const [was, is] = [former, now].map(({ choices }) =>
    Object.fromEntries(choices.map((choice) => [choice.value, choice])),
  )
  const { added, removed } = paired(was, is)
  return [
    ...added.map((value): Change => ({ change: 'looser', text: `takes ${value} (${words(is[value].label)})` })),
    ...removed.map((value): Change => ({
      change: now.mayGrow ? 'changed' : 'stricter',
      text: `no longer takes ${value} (${words(was[value].label)})`,
    })),
  ]
}

function diffEntity(former: Entity, now: Entity, renamed: Readonly<Record<string, string>>): Change[] {
  const isWere = Object.fromEntries(
    Object.values(former.fields).map((field) => [renamed[field.name] ?? field.name, field]),
  )
  const { added, both } = paired(isWere, now.fields)
  const named = (name: string, changes: Change[]) =>
    changes.map(({ change, text }): Change => ({ change, text: `${fieldWords(now, name)} ${text}` }))
  return [
    ...added
      .filter((name) => now.fields[name].required && !hasValue(now.fields[name]))
      .map((name): Change => ({ change: 'stricter', text: `${fieldWords(now, name)} is new and required` })),
    ...both.flatMap((name) => named(name, diffField(isWere[name], now.fields[name]))),
    ...diffRules('the rule', rulesOf(former.rules), rulesOf(now.rules)),
    ...diffRules('the limit', limitsOf(former), limitsOf(now)),
    ...diffRules('four eyes', fourEyesOf(former), fourEyesOf(now)),
    ...diffRules('done once', onceOf(former), onceOf(now)),
    ...diffRules('the guard', guardsOf(former), guardsOf(now)),
    ...(['create', 'update', 'delete'] as const).flatMap((operation) =>
      diffAllowed(operation, former.allow[operation], now.allow[operation]),
    ),
  ]
}

const hasValue = ({ default: literal, defaultFrom, computed, readOnly }: Field) =>
  literal !== undefined || defaultFrom !== undefined || computed !== undefined || readOnly

function diffField(was: Field, is: Field): Change[] {
  const flag = (key: 'required' | 'unique' | 'readOnly', text: [string, string]): Change[] =>
    was[key] === is[key] ? [] : [is[key] ? { change: 'stricter', text: text[0] } : { change: 'looser', text: text[1] }]
  const condition = (key: 'requiredWhen' | 'readOnlyWhen' | 'visibleWhen' | 'uniqueWithin', text: string): Change[] => {
    if (was[key] === is[key]) return []
    if (was[key] === undefined) return [{ change: 'stricter', text: `${text} ${is[key]}` }]
    return is[key] === undefined
      ? [{ change: 'looser', text: `is no longer ${text.replace('is ', '')} ${was[key]}` }]
      : [{ change: 'changed', text: `${text} ${is[key]}, and was ${was[key]}` }]
  }
  const type: Change[] =
    was.type === is.type
      ? Object.keys({ ...was.options, ...is.options }).flatMap((key) =>
          diffOption(key, was.options[key], is.options[key]),
        )
      : [{ change: 'changed', text: `is of the type ${is.type}, and was ${was.type}` }]
  return [
    ...type,
    ...flag('required', ['is required', 'is no longer required']),
    ...flag('unique', ['must be unique', 'need no longer be unique']),
    ...flag('readOnly', ['is written by the system only', 'may be written']),
    ...condition('requiredWhen', 'is required when'),
    ...condition('visibleWhen', 'is there only when'),
    ...condition('readOnlyWhen', 'is read-only when'),
    ...condition('uniqueWithin', 'is unique within'),
    ...(differs(was.computed, is.computed)
      ? [{ change: 'changed' as const, text: `is computed ${is.computed ? JSON.stringify(is.computed) : 'no longer'}` }]
      : []),
  ]
}

const lower = ['min', 'minLength', 'minItems', 'minimum']
const upper = ['max', 'maxLength', 'maxItems', 'maximum', 'maxSize', 'scale', 'digits']
/** These flags accept more values if set; any other flag refuses some. */
const opening = ['negative', 'given', 'zero']

/** Options belong to their widget, so numbers, flags, patterns and lists are recognised by their form. */
function diffOption(key: string, was: unknown, is: unknown): Change[] {
  if (!differs(was, is) || isWording(key)) return []
  const text =
    is === undefined
      ? `has no ${key} any more (was ${JSON.stringify(was)})`
      : `has ${key} ${JSON.stringify(is)}${was === undefined ? '' : `, was ${JSON.stringify(was)}`}`
  const is1 = (stricter: boolean): Change[] => [{ change: stricter ? 'stricter' : 'looser', text }]
  if ([...lower, ...upper].includes(key)) {
    if (was === undefined || is === undefined) return is1(was === undefined)
    const [a, b] = [Number(was), Number(is)]
    return Number.isNaN(a - b) ? [{ change: 'changed', text }] : is1(lower.includes(key) ? b > a : b < a)
  }
  if (typeof (is ?? was) === 'boolean') return is1((is === true) !== opening.includes(key))
  if (key === 'pattern' || key === 'filter')
    return was === undefined || is === undefined ? is1(was === undefined) : [{ change: 'changed', text }]
  if (
    Array.isArray(was) &&
    Array.isArray(is) &&
    (was.every((item) => is.includes(item)) || is.every((item) => was.includes(item)))
  )
    return is1(is.length < was.length)
  return [{ change: 'changed', text }]
}

const isWording = (key: string) => /Message$|^(placeholder|columns|rows|unit)$/.test(key)

interface RuleEntry {
  text: string
  check: string
}

function diffRules(what: string, was: Record<string, RuleEntry>, is: Record<string, RuleEntry>): Change[] {
  const { added, removed, both } = paired(was, is)
  return [
    ...added.map((key): Change => ({ change: 'stricter', text: `${what} ${is[key].check}: ${is[key].text}` })),
    ...removed.map((key): Change => ({
      change: 'looser',
      text: `no longer ${what} ${was[key].check}: ${was[key].text}`,
    })),
    ...both
      .filter((key) => was[key].check !== is[key].check)
      .map((key): Change => ({
        change: 'changed',
        text: `${what} is ${is[key].check}, was ${was[key].check}: ${is[key].text}`,
      })),
  ]
}

/** A rule with the same content is the same rule. */
const rulesOf = (rules: Entity['rules'], prefix = ''): Record<string, RuleEntry> =>
  Object.fromEntries(
    rules.map(({ check, when, message }) => [
      `${prefix}${words(message)}`,
      { text: words(message), check: `${prefix}${check}${when === undefined ? '' : ` when ${when}`}` },
    ]),
  )
const limitsOf = ({ limits }: Entity): Record<string, RuleEntry> =>
  Object.fromEntries(
    limits.map(({ message, ...limit }) => [
      words(message),
      { text: words(message), check: `at most ${limit.max} of ${JSON.stringify(limit.where)}` },
    ]),
  )
const fourEyesOf = ({ fourEyes = [] }: Entity): Record<string, RuleEntry> =>
  fourEyes.length === 0 ? {} : { fourEyes: { text: fourEyes.join(', '), check: fourEyes.join(', ') } }
const onceOf = ({ once = [] }: Entity): Record<string, RuleEntry> =>
  once.length === 0 ? {} : { once: { text: once.join(', '), check: once.join(', ') } }
const guardsOf = ({ states, undo }: Entity): Record<string, RuleEntry> =>
  Object.assign(
    {},
    rulesOf(undo?.guards ?? [], 'of undo: '),
    ...states.flatMap(({ transitions }) =>
      Object.values(transitions).map(({ name, guards }) => rulesOf(guards, `of ${name}: `)),
    ),
  ) as Record<string, RuleEntry>

function diffAllowed(operation: string, was: boolean | string, is: boolean | string): Change[] {
  if (was === is) return []
  const conditionText = (allowed: boolean | string) =>
    allowed === true ? 'always' : allowed === false ? 'never' : `when ${allowed}`
  const rank = (allowed: boolean | string) => (allowed === true ? 2 : allowed === false ? 0 : 1)
  const change = rank(is) < rank(was) ? 'stricter' : rank(is) > rank(was) ? 'looser' : 'changed'
  return [{ change, text: `${operation} is allowed ${conditionText(is)}, and was ${conditionText(was)}` }]
}
