import { boolean, integer, shape } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import { checkStrength } from '../password/password.ts'
import { asText, checkLength } from '../text/text.ts'

const options = shape({
  maxLength: integer({
    default: 4000,
    minimum: 1,
    maximum: 20_000,
    about: { cn: '最多字符数', en: 'Maximum number of characters' },
  }),
  strong: boolean({
    default: false,
    about: { cn: '须符合密码规则', en: 'The value is a password and must be strong' },
  }),
  multiline: boolean({ default: false, about: { cn: '多行，如私钥', en: 'Several lines, such as a private key' } }),
})
export type SecretOptions = Static<typeof options>

/**
 * A key or token of another system, stored encrypted. Nobody can read it back: only `mask` leaves the server. An empty
 * input, or the mask of the stored one, keeps it.
 */
export const secret: Widget<SecretOptions, string> = {
  type: 'secret',
  label: { cn: '密文', en: 'Secret' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  protect: 'encrypt',
  normalize(value) {
    const given = asText(value)
    return typeof given === 'string' ? given.trim() || null : given
  },
  check: (value, { maxLength, strong }, context) =>
    checkLength(value, { maxLength }, context) ??
    (strong && !isMasked(value) ? checkStrength(value, context) : undefined),
  // The last four characters would reveal half of a short secret, or a password's common ending.
  mask: (value, { strong }) => `******${value.length > 8 && !strong ? value.slice(-4) : ''}`,
  text: (value) => (isMasked(value) ? value : '******'),
  width: () => 120,
  operators: ['empty'],
  sortable: false,
}

/** Distinguishes the server's mask from a newly entered secret. */
export const isMasked = (value: unknown): value is string => typeof value === 'string' && /^\*{6}.{0,4}$/.test(value)
