import { fieldName, optional, record, shape, string } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import { malformed } from '../problem.ts'
import { asText } from '../text/text.ts'

const formatPattern = '^([^{}]|[{](yyyyMMdd|yyyyMM|yyyy|MM|dd)[}])*[{]seq:[1-9][}][^{}]*$'
const shownForm = 'SK{yyyyMMdd}{seq:4}, with yyyy, MM and dd of the date, and the number of digits behind seq'
const options = shape({
  format: string({
    pattern: formatPattern,
    like: shownForm,
    about: {
      cn: '编号格式，如 SK{yyyyMMdd}{seq:4}；序号按日期部分各自从1开始',
      en: 'Such as SK{yyyyMMdd}{seq:4}; counting restarts at 1 for each date',
    },
  }),
  formats: optional(
    shape(
      { by: fieldName(), values: record(string({ pattern: formatPattern, like: shownForm })) },
      {
        about: {
          cn: '按某字段的值采用其他格式',
          en: 'Formats by the value of a field; each is a separate series',
        },
      },
    ),
  ),
  own: optional(
    string({
      names: 'pattern',
      about: {
        cn: '新增时可自行填写符合此正则表达式的编号',
        en: 'Users may enter a number themselves if it matches this regular expression',
      },
    }),
  ),
})
type SeriesOptions = Static<typeof options>

/** A number that the server assigns on saving: a prefix, parts of the business date, a sequence. */
export const numberSeries: Widget<SeriesOptions, string> = {
  type: 'number-series',
  label: { cn: '编号', en: 'Number series' },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  series: ({ format, formats }, record) => formats?.values[String(record[formats.by])] ?? format,
  given: ({ own }) => own !== undefined,
  normalize(value) {
    const given = asText(value)
    return typeof given === 'string' ? given.trim() || null : given
  },
  check: (value: unknown, options, context) =>
    typeof value === 'string' && value.length <= 60 && patternsOf(options).some((pattern) => pattern.test(value))
      ? undefined
      : malformed(context),
  text: (value) => value,
  width: () => 150,
  operators: ['contains', 'equals', 'in'],
  sortable: true,
  sheet: { format: () => '@', write: (value) => value, read: (cell) => cell },
}

const patternsOf = ({ format, formats, own }: SeriesOptions): RegExp[] => [
  ...[format, ...Object.values(formats?.values ?? {})].map(pattern),
  ...(own === undefined ? [] : [new RegExp(own, 'u')]),
]

/** The pattern of numbers in this format. A sequence may outgrow its width. */
function pattern(format: string): RegExp {
  const source = format.replace(/\{seq:(\d)\}|\{(\w+)\}|([^{}])/g, (_, width?: string, date?: string, letter = '') =>
    width ? `\\d{${width},}` : date ? `\\d{${date.length}}` : letter.replace(/[^A-Za-z0-9]/, '\\$&'),
  )
  return new RegExp(`^${source}$`)
}
