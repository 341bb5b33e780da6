import { shape } from '../../model/model.ts'
import type { Label, Static, Widget } from '../../model/model.ts'
import { malformed } from '../problem.ts'
import { asText, checkLength } from '../text/text.ts'

const options = shape({})

const address = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/
const invalid: Label = { cn: '邮箱格式不正确', en: 'Invalid email' }

/** An email address, in lower case. */
export const email: Widget<Static<typeof options>, string> = {
  type: 'email',
  label: { cn: '邮箱', en: 'Email' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  normalize(value) {
    const given = asText(value)
    return typeof given === 'string' ? given.normalize('NFKC').replace(/\s/g, '').toLowerCase() || null : given
  },
  check(value: unknown, _options, context) {
    if (typeof value !== 'string') return malformed(context, invalid)
    return (
      checkLength(value, { maxLength: 80 }, context) ?? (address.test(value) ? undefined : malformed(context, invalid))
    )
  },
  text: (value) => value,
  width: () => 200,
  operators: ['contains', 'equals', 'in', 'empty'],
  sortable: true,
  sheet: { format: () => '@', write: (value) => value, read: (cell) => cell },
}
