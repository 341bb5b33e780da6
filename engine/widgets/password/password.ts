import { shape } from '../../model/model.ts'
import type { Label, Problem, Static, Value, Widget, WidgetContext } from '../../model/model.ts'
import { problem } from '../problem.ts'
import { asText } from '../text/text.ts'

const options = shape({})

/** The two inputs until they match. */
export interface TypedPassword {
  [key: string]: Value
  password: string
  confirmation: string
}

const weak: Label = {
  cn: '{label}须为8至20位，且至少包含字母、数字、符号中的两种',
  en: '{label} must be 8 to 20 characters with at least two of letters, digits and symbols',
}
const different: Label = { cn: '两次输入密码不一致!', en: 'The two passwords do not match!' }

/** The problem found by the system's password rule. */
export const checkStrength = (value: unknown, context: WidgetContext): Problem | undefined =>
  typeof value === 'string' && isStrong(value) ? undefined : problem('password', weak, context)

/** A password, stored only as a hash. Its input is a text, or the text typed twice. */
export const password: Widget<Static<typeof options>, string> = {
  type: 'password',
  label: { cn: '密码', en: 'Password' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  protect: 'hash',
  normalize(value) {
    const { password, confirmation } = typedPassword(value) ?? {}
    const given = asText(password !== undefined && password === confirmation ? password : value)
    return typeof given === 'string' ? given.trim() || null : given
  },
  check(value: unknown, _options, context) {
    if (typedPassword(value)) return problem('confirmation', different, context)
    return checkStrength(value, context)
  },
  mask: () => '******',
  text: () => '******',
  width: () => 100,
  operators: ['empty'],
  sortable: false,
}

/** 8 to 20 visible characters, including at least two of letters, digits and symbols. */
export const isStrong = (password: string): boolean =>
  /^[\x21-\x7e]{8,20}$/.test(password) &&
  [/[A-Za-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length >= 2

/** The value as typed twice, or undefined. */
export function typedPassword(value: unknown): TypedPassword | undefined {
  const typed = value as TypedPassword | null
  return typeof typed === 'object' && typeof typed?.password === 'string' && typeof typed.confirmation === 'string'
    ? typed
    : undefined
}
