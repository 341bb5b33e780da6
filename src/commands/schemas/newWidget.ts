import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Question } from '../../../engine/schema/tools/Question.ts'

/** The questions for a new field type. `root`: the project that gets it. */
export const widgetQuestions = (root: string): Question[] => [
  {
    name: 'type',
    text: 'Name of the field type, as files will say it',
    refuse: (type) =>
      !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(type)
        ? 'Small letters and digits, with - between words.'
        : existsSync(join(root, 'engine/widgets', type))
          ? `There is a field type "${type}" already.`
          : words.has(nameOf(type))
            ? `"${type}" is a word of the programming language.`
            : undefined,
  },
  {
    name: 'cn',
    text: 'What it is called in Chinese',
    refuse: (label) => (/\p{Script=Han}/u.test(label) ? undefined : 'Chinese characters are needed.'),
  },
  {
    name: 'en',
    text: 'What it is called in English',
    refuse: (label) => (/^[A-Z]/.test(label) ? undefined : 'It begins with a capital letter.'),
  },
]

const words: ReadonlySet<string> = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in ' +
    'instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield await options examples'
  ).split(' '),
)

const nameOf = (type: string) => type.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export interface NewText {
  path: string
  text: string
}

/** The three files of a field type for a short text, and the two lists with their line for it. */
export function widgetFiles({ type, cn, en }: Readonly<Record<string, string>>, root: string): NewText[] {
  const name = nameOf(type)
  const folder = `engine/widgets/${type}`
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  return [
    { path: `${folder}/${type}.ts`, text: pure({ type, name, cn: quoted(cn), en: quoted(en) }) },
    { path: `${folder}/${type}.view.tsx`, text: view({ type, name }) },
    { path: `${folder}/${type}.examples.ts`, text: examples },
    {
      path: 'engine/widgets/index.ts',
      text: withLine(
        withImport(read(root, 'index.ts'), `import { ${name} } from './${type}/${type}.ts'`),
        'const all: Widget[] = [',
        `  ${name},`,
      ),
    },
    {
      path: 'engine/widgets/views.ts',
      text: withLine(
        read(root, 'views.ts'),
        'export const widgetViews',
        `  ${/^\w+$/.test(type) ? type : `'${type}'`}: async () => (await import('./${type}/${type}.view.tsx')).${name}View,`,
      ),
    },
  ]
}

const read = (root: string, file: string) => readFileSync(join(root, 'engine/widgets', file), 'utf8')

/** Before the first folder import that sorts after it. */
function withImport(text: string, line: string): string {
  const lines = text.split('\n')
  const folder = (other: string) => /from '\.\/([^/]+)\//.exec(other)?.[1]
  const after = lines.findIndex((other) => (folder(other) ?? '') > folder(line)!)
  const at = after >= 0 ? after : lines.findLastIndex((other) => folder(other) !== undefined) + 1
  return lines.toSpliced(at, 0, line).join('\n')
}

/** Into the list that begins like this, in order. */
function withLine(text: string, beginning: string, line: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((other) => other.startsWith(beginning)) + 1
  const end = lines.findIndex((other, index) => index >= start && /^[\]}]/.test(other))
  const plain = (other: string) =>
    other
      .replace(/[^A-Za-z0-9-]/g, ' ')
      .trim()
      .split(' ')[0]
      .toLowerCase()
  const after = lines.findIndex((other, index) => index >= start && index < end && plain(other) > plain(line))
  return lines.toSpliced(after >= 0 ? after : end, 0, line).join('\n')
}

const pure = ({
  type,
  name,
  cn,
  en,
}: Record<'type' | 'name' | 'cn' | 'en', string>) => `import { integer, optional, shape } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import { asText, checkLength } from '../text/text.ts'

const options = shape({
  maxLength: optional(integer({ minimum: 1 })),
})

/** ${type}: a short text without spaces around it. */
export const ${name}: Widget<Static<typeof options>, string> = {
  type: '${type}',
  label: { cn: ${cn}, en: ${en} },
  options,
  prompt: 'enter',
  expression: 'string',
  column: () => 'text',
  normalize(value) {
    const given = asText(value)
    return typeof given === 'string' ? given.trim() || null : given
  },
  check: (value: unknown, { maxLength = 100 }, context) => checkLength(value, { maxLength }, context),
  text: (value) => value,
  width: () => 160,
  operators: ['contains', 'equals', 'in', 'empty'],
  sortable: true,
  sheet: { format: () => '@', write: (value) => value, read: (cell) => cell },
}
`

const view = ({
  type,
  name,
}: Record<'type' | 'name', string>) => `import type { WidgetView } from '../../client/view.ts'
import { textEdit, TextFilter } from '../text/text.view.tsx'
import { ${name} } from './${type}.ts'

export const ${name}View: WidgetView = { Edit: textEdit(${name}), Filter: TextFilter }
`

const examples = `import type { WidgetExamples } from '../../model/model.ts'

export const examples: WidgetExamples = {
  options: [{}, { maxLength: 3 }],
  good: [{ given: ' abc ', canonical: 'abc', text: { cn: 'abc', en: 'abc' } }],
  bad: [{ given: 'abcd', code: 'maxLength', message: { cn: '长度不能超过3个字符', en: 'At most 3 characters' }, with: 1 }],
  cells: [{ cell: ' abc ', canonical: 'abc' }, { cell: '', canonical: null }],
}
`
