import { Ajv } from 'ajv'
import { isObject, type JsonObject } from '../walk.ts'
import type { Answers, Question } from './Question.ts'

/**
 * The parameters that a family must set, prompted for one value at a time: of a non-empty list only the first item, of
 * optional values nothing. What a template requires conditionally (`if`, `then`) is prompted for once the condition is known
 * to hold.
 */
export function parameterQuestions(
  shape: unknown,
  answers: Answers,
  suggested: Answers = {},
  around: Around = { languages: [], valuesOf: () => undefined },
): Question[] {
  const found: Question[] = []
  visit('parameter', shape, { answers, around }, found)
  return found.map((question) =>
    suggested[question.name] === undefined ? question : { ...question, suggested: suggested[question.name] },
  )
}

/** Existing families and values: names are prompted for before the keys derived from them, and known values are offered. */
export interface Around {
  languages: readonly string[]
  /** The possible values of a parameter with `choiceOf` or `keyOf`; undefined for any other. */
  valuesOf(shape: JsonObject): readonly string[] | undefined
}
interface QuestionContext {
  answers: Answers
  around: Around
}

/** The parameters that the answers add up to. */
export const parametersOf = (shape: unknown, answers: Answers): JsonObject =>
  valueOf('parameter', shape, answers) as JsonObject

const under = (name: string, key: string) => `${name}-${key}`

/** Adds the questions of a shape. @returns whether all of them are answered */
function visit(name: string, given: unknown, context: QuestionContext, found: Question[]): boolean {
  const { answers, around } = context
  const shape = isObject(given) ? given : {}
  if (shape.type === 'array') return requiresItem(shape) ? visit(name, shape.items, context, found) : true
  if (shape.type !== 'object' || !isObject(shape.properties)) {
    found.push(questionOf(name, shape, context))
    return answers[name] !== undefined
  }
  const each = (names: readonly string[]) =>
    namesFirst(names, around)
      .map((key) => visit(under(name, key), propertiesOf(shape)[key], context, found))
      .every(Boolean)
  if (!each(plainly(shape))) return false
  const whole = demanded(name, shape, answers)
  const more = requiredOf(whole).filter((key) => !plainly(shape).includes(key))
  const deeper = plainly(shape).filter((key) => propertiesOf(whole)[key] !== propertiesOf(shape)[key])
  return [...more, ...deeper]
    .map((key) => visit(under(name, key), propertiesOf(whole)[key], context, found))
    .every(Boolean)
}

const namesFirst = (names: readonly string[], { languages }: Around): string[] => [
  ...names.filter((name) => languages.includes(name)),
  ...names.filter((name) => !languages.includes(name)),
]

/** A key derived from the name beside it: `Meal allowance` → `mealAllowance`, or as the pattern requires. */
function keyOfName(name: string, shape: JsonObject, { answers, around }: QuestionContext): string | undefined {
  const beside = around.languages
    .map((language) => answers[`${name.slice(0, name.lastIndexOf('-'))}-${language}`] ?? '')
    .find((text) => /[A-Za-z]/.test(text))
  if (beside === undefined || typeof shape.pattern !== 'string') return undefined
  const words = beside.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const pattern = new RegExp(shape.pattern, 'u')
  const camel = words.map((word, index) => (index === 0 ? word : word[0].toUpperCase() + word.slice(1))).join('')
  const initials = words.map((word) => word[0].toUpperCase()).join('')
  return [camel, words.join(''), initials, words.join('').toUpperCase().slice(0, 2)].find((text) => pattern.test(text))
}

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {})
const requiredOf = ({ required }: JsonObject): string[] => (Array.isArray(required) ? required.map(String) : [])
const plainly = (shape: JsonObject): string[] => requiredOf(shape)
const requiresItem = ({ minItems }: JsonObject): boolean => typeof minItems === 'number' && minItems > 0

const conditions = new Ajv({ strict: false })

/** The shape with the conditional requirements that the answers trigger. */
function demanded(name: string, shape: JsonObject, answers: Answers): JsonObject {
  const clauses = (Array.isArray(shape.allOf) ? shape.allOf : []).filter(isObject)
  const holds = clauses.filter(
    (clause) =>
      isObject(clause.if) &&
      isObject(clause.then) &&
      conditions.validate(clause.if, valueOf(name, { ...shape, allOf: [] }, answers)),
  )
  return holds.reduce<JsonObject>((whole, { then }) => merged(whole, then as JsonObject), shape)
}

function merged(shape: JsonObject, more: JsonObject): JsonObject {
  const properties = { ...propertiesOf(shape) }
  for (const [key, value] of Object.entries(propertiesOf(more))) {
    const [known, added] = [properties[key], value]
    if (isObject(known) && isObject(added)) properties[key] = merged(known, added)
  }
  return { ...shape, properties, required: [...new Set([...requiredOf(shape), ...requiredOf(more)])] }
}

function questionOf(name: string, shape: JsonObject, context: QuestionContext): Question {
  const choices =
    shape.type === 'boolean'
      ? ['false', 'true']
      : Array.isArray(shape.enum ?? shape.known)
        ? ((shape.enum ?? shape.known) as unknown[]).map(String)
        : context.around.valuesOf(shape)
  const named = Array.isArray(shape.anyOf)
    ? shape.anyOf.filter(isObject).map(context.around.valuesOf).find(Boolean)
    : undefined
  const about = typeof shape.description === 'string' ? ` (${shape.description})` : ''
  const suggested =
    shape.default === undefined || typeof shape.default === 'object'
      ? (choices?.[0] ?? keyOfName(name, shape, context))
      : String(shape.default)
  return {
    name,
    text: `${name.slice('parameter-'.length).replaceAll('-', ' › ')}${about}${named ? ` [${named.join(', ')}]` : ''}`,
    ...(choices && { choices }),
    ...(suggested !== undefined && { suggested }),
    refuse(answer) {
      if (choices) return undefined
      if (shape.type === 'integer') return /^-?\d+$/.test(answer) ? undefined : 'A whole number is needed.'
      if (shape.type === 'string')
        return typeof shape.pattern === 'string' && !new RegExp(shape.pattern, 'u').test(answer)
          ? `It must have the form ${shape.pattern}.`
          : undefined
      return /^[[{]/.test(answer) && parsed(answer) === undefined ? 'This is no JSON.' : undefined
    },
  }
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer) as unknown
  } catch {
    return undefined
  }
}

/** Undefined if there is no answer. */
function valueOf(name: string, given: unknown, answers: Answers): unknown {
  const shape = isObject(given) ? given : {}
  if (shape.type === 'array') return requiresItem(shape) ? [valueOf(name, shape.items, answers)] : []
  if (shape.type === 'object' && isObject(shape.properties)) {
    const whole = Array.isArray(shape.allOf) && shape.allOf.length > 0 ? demanded(name, shape, answers) : shape
    return Object.fromEntries(
      requiredOf(whole).flatMap((key): [string, unknown][] => {
        const value = valueOf(under(name, key), propertiesOf(whole)[key], answers)
        return value === undefined ? [] : [[key, value]]
      }),
    )
  }
  const answer = answers[name]
  if (answer === undefined || shape.type === 'string') return answer
  return shape.type !== undefined || Array.isArray(shape.enum) || /^[[{]/.test(answer)
    ? (parsed(answer) ?? answer)
    : answer
}
