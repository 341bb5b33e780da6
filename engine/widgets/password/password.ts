import { shape } from '../../schema/model.ts'
import type { Label, Static, Value, Widget } from '../../schema/model.ts'
import { problem } from '../problem.ts'
import { asText } from '../text/text.ts'

const options = shape({})

/** What the two inputs hold until they agree. */
export interface TypedPassword { [key: string]: Value; password: string; confirmation: string }

const weak: Label = {
  cn: '{label}须为8至20位，且至少包含字母、数字、符号中的两种',
  en: '{label} must be 8 to 20 characters with at least two of letters, digits and symbols',
}
const different: Label = { cn: '两次输入密码不一致!', en: 'The two passwords do not match!' }

/** A password, kept as a hash only. It is given as text, or as typed twice. */
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
    if (typeof value !== 'string' || !/^[\x21-\x7e]{8,20}$/.test(value)) return problem('password', weak, context)
    const kinds = [/[A-Za-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value))
    return kinds.length < 2 ? problem('password', weak, context) : undefined
  },
  mask: () => '******',
  text: () => '******',
  width: () => 100,
  operators: ['empty'],
  sortable: false,
}

/** The value as typed twice, or undefined. */
export function typedPassword(value: unknown): TypedPassword | undefined {
  const typed = value as TypedPassword | null
  return typeof typed === 'object' && typeof typed?.password === 'string' && typeof typed.confirmation === 'string' ? typed : undefined
}
