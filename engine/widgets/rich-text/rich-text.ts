import { integer, shape } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import { malformed, problem } from '../problem.ts'
import { isNothing } from '../selection.ts'

const options = shape({
  max: integer({
    default: 20000,
    minimum: 1,
    about: { cn: '最长（HTML 字符数）', en: 'Maximum number of characters, counted as HTML' },
  }),
})

const entities: Record<string, string> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/**
 * The words without mark-up, on one line. Only for reading: it is not a sanitiser. A tag ends before the next one
 * begins, so that many unfinished ones are not each searched to the end.
 */
export function plainText(html: string): string {
  return html
    .replace(/<(?:\/(?:p|h[1-6]|li|ul|ol|blockquote|pre)|br|hr)\b[^<>]*>/gi, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:nbsp|lt|gt|quot|#39|amp);/g, (entity) => entities[entity])
    .replace(/\s+/g, ' ')
    .trim()
}

/** An editor leaves `<p></p>` behind after everything was deleted. */
const isEmpty = (html: string) => plainText(html) === '' && !/<(?:img|hr)\b/i.test(html)

/** Text with headings, lists, links and pictures, stored as HTML that the server sanitises. */
export const richText: Widget<Static<typeof options>, string> = {
  type: 'rich-text',
  alsoCalled: ['html'],
  label: { cn: '富文本', en: 'Rich text' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  html: true,
  normalize: (value) => {
    if (typeof value === 'string') return isEmpty(value) ? null : value.trim()
    return isNothing(value) ? null : (value as string)
  },
  check: (value, options, context) => {
    if (typeof value !== 'string') return malformed(context)
    if (value.length <= options.max) return undefined
    return problem('length', { cn: '长度不能超过{max}个字符', en: 'At most {max} characters' }, context, {
      max: options.max,
    })
  },
  text: (value) => plainText(value),
  width: () => 240,
  operators: ['contains', 'empty'],
  sortable: false,
}
