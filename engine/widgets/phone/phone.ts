import { boolean, shape } from '../../model/model.ts'
import type { Label, Static, Widget } from '../../model/model.ts'
import { malformed } from '../problem.ts'
import { asText } from '../text/text.ts'

const options = shape({
  mobileOnly: boolean({ default: false, about: { cn: '仅限手机号码', en: 'Mobile numbers only' } }),
})

const mobile = /^1[3-9][0-9]{9}$/
const landline = /^0[0-9]{2,3}-?[0-9]{7,8}(-[0-9]{1,6})?$/
const service = /^[48]00-?[0-9]{3}-?[0-9]{4}$/
const invalid: Label = { cn: '电话格式不正确', en: 'Invalid phone number' }

/** A mobile, landline or 400/800 number. */
export const phone: Widget<Static<typeof options>, string> = {
  type: 'phone',
  alsoCalled: ['mobile', 'tel'],
  label: { cn: '电话', en: 'Phone' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  normalize(value) {
    const given = asText(value)
    if (typeof given !== 'string') return given
    const number = given
      .normalize('NFKC')
      .replace(/[\s()]/g, '')
      .replace(/[‐-—−]/g, '-')
    const local = number.replace(/^(\+|00)86-?(?=1)/, '').replaceAll('-', '')
    return (mobile.test(local) ? local : number) || null
  },
  check(value: unknown, { mobileOnly }, context) {
    if (typeof value !== 'string' || value.length > 30) return malformed(context, invalid)
    const valid = mobile.test(value) || (!mobileOnly && (landline.test(value) || service.test(value)))
    return valid ? undefined : malformed(context, invalid)
  },
  mask: (value) =>
    value.length > 7 ? value.slice(0, 3) + '*'.repeat(value.length - 7) + value.slice(-4) : '*'.repeat(value.length),
  text: (value) => value,
  width: ({ mobileOnly }) => (mobileOnly ? 120 : 140),
  operators: ['contains', 'equals', 'in', 'empty'],
  sortable: true,
  sheet: { format: () => '@', write: (value) => value, read: (cell) => cell },
}
