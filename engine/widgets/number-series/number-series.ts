import { shape, string } from '../../schema/model.ts'
import type { Static, Widget } from '../../schema/model.ts'
import { malformed } from '../problem.ts'
import { asText } from '../text/text.ts'

const options = shape({
  format: string({
    pattern: '^([^{}]|[{](yyyyMMdd|yyyyMM|yyyy|MM|dd)[}])*[{]seq:[1-9][}][^{}]*$',
    about: {
      cn: '编号格式，如 SK{yyyyMMdd}{seq:4}；序号按日期部分各自从1开始',
      en: 'Such as SK{yyyyMMdd}{seq:4}; each value of the date part counts from 1',
    },
  }),
})

/** A number that the server gives on saving: a prefix, parts of the business date, a sequence. */
export const numberSeries: Widget<Static<typeof options>, string> = {
  type: 'number-series',
  label: { cn: '编号', en: 'Number series' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  series: ({ format }) => format,
  normalize(value) {
    const given = asText(value)
    return typeof given === 'string' ? given.trim() || null : given
  },
  check: (value: unknown, { format }, context) =>
    typeof value === 'string' && value.length <= 60 && pattern(format).test(value) ? undefined : malformed(context),
  text: (value) => value,
  width: () => 150,
  operators: ['contains', 'equals', 'in'],
  sortable: true,
  sheet: { format: () => '@', write: (value) => value, read: (cell) => cell },
}

/** What a number of this format looks like. A sequence may outgrow its width. */
function pattern(format: string): RegExp {
  const source = format.replace(/\{seq:(\d)\}|\{(\w+)\}|([^{}])/g, (_, width?: string, date?: string, letter = '') =>
    width ? `\\d{${width},}` : date ? `\\d{${date.length}}` : letter.replace(/[^A-Za-z0-9]/, '\\$&'))
  return new RegExp(`^${source}$`)
}
