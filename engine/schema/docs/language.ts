import { fileShapes } from '../language/fileShapes.ts'
import { typeText } from '../../model/shape.ts'
import type { HelpSection, HelpText, Label, NameRole, ScreenKind, Shape, Widget } from '../../model/model.ts'
import { warningMeanings } from '../warnings/meanings.ts'
import { reasonsKey } from '../warnings/reasons.ts'
import type { Examples } from './examples.ts'
import { meaningOf } from './keyWords.ts'

type Lists = { widgets: Readonly<Record<string, Widget>>; kinds: Readonly<Record<string, ScreenKind>> }

const columns: Label[] = [
  { cn: '键', en: 'Key' },
  { cn: '值', en: 'Value' },
  { cn: '默认', en: 'Default' },
  { cn: '说明', en: 'About' },
  { cn: '例子', en: 'Example' },
]
const mustBeGiven: Label = { cn: '必填', en: 'must be given' }
const oneOfSeveral: Label = { cn: '某种写法中必填', en: 'needed in one of its forms' }

/** The kinds of file besides screens, which name themselves. */
const files: Record<string, Label> = {
  app: { cn: '产品 app.json', en: 'The product, app.json' },
  entity: { cn: '实体', en: 'Entity' },
  dictionary: { cn: '字典', en: 'Dictionary' },
  records: { cn: '随产品带来的记录', en: 'Records that come with the product' },
  template: { cn: '模板', en: 'Template' },
  family: { cn: '族', en: 'Family' },
}

/** The meaning of each role that a name can have. */
const meanings: Partial<Record<NameRole, Label>> = {
  label: { cn: '各语言的文字', en: 'A text in every language' },
  entity: { cn: '实体名', en: 'Name of an entity' },
  field: { cn: '字段名', en: 'Name of a field' },
  ownField: { cn: '本实体的字段名', en: 'Name of a field of this entity' },
  dictionary: { cn: '字典名', en: 'Name of a dictionary' },
  screen: { cn: '页面名', en: 'Name of a screen' },
  link: { cn: '页面地址，{field} 取自记录', en: 'Address of a screen; {field} is filled from the record' },
  permission: { cn: '权限', en: 'A permission' },
  procedure: { cn: '过程名', en: 'Name of a procedure' },
  template: { cn: '模板名', en: 'Name of a template' },
  state: { cn: '状态值', en: 'Value of a state' },
  action: { cn: '操作名', en: 'Name of an action' },
  condition: { cn: '条件表达式', en: 'A condition' },
  formula: { cn: '公式', en: 'A formula' },
  entityField: { cn: '实体.字段', en: 'entity.field' },
  transition: { cn: '状态变更名', en: 'Name of a transition' },
  filter: { cn: '字段 → 值', en: 'Field → value' },
  sort: { cn: '排序字段，- 为倒序', en: 'Fields to sort by; - descending' },
  messageType: { cn: '消息类型', en: 'Type of message' },
  endpoint: { cn: '接口路径', en: 'Path of the API' },
  pattern: { cn: '正则表达式', en: 'A regular expression' },
  lookup: { cn: '引用.字段', en: 'reference.field' },
  role: { cn: '角色编码', en: 'Code of a role' },
}

/**
 * The reference of the schema language: every key of every kind of file and field type, with its default and a real
 * example.
 */
export function languageReference({ widgets, kinds }: Lists, examples: Examples): HelpSection[] {
  const shapes = fileShapes(widgets, kinds)
  const kindsOfFile = Object.entries(shapes).map(([kind, shape]) => ({
    id: kind,
    title: kinds[kind]?.label ?? files[kind] ?? kind,
    text: [kind === 'app' ? 'app.json' : `<name>.${kind}.json`],
    tables: [{ columns, rows: rowsOf(shape, `${kind} `, examples) }],
  }))
  const common = Object.keys(commonOf(shapes.entity, widgets))
  const fields = Object.values(widgets).map((widget) => ({
    id: `field-${widget.type}`,
    title: widget.label,
    text: [`"type": "${widget.type}"`],
    tables: [{ columns, rows: keysOf(widget.options, `entity fields.<${widget.type}>`, examples) }],
  }))
  const every: HelpSection = {
    id: 'field',
    title: { cn: '每个字段都有的键', en: 'Keys of every field' },
    text: [],
    tables: [
      {
        columns,
        rows: common.flatMap((key) =>
          rowOf(
            key,
            commonOf(shapes.entity, widgets)[key],
            '',
            Object.keys(widgets).map((type) => `entity fields.<${type}>`),
            examples,
          ),
        ),
      },
    ],
  }
  return [...kindsOfFile, every, ...fields, warnings]
}

/** The warnings, and how a file marks one as intended. */
const warnings: HelpSection = {
  id: 'warnings',
  title: { cn: '警告', en: 'Warnings' },
  text: [
    {
      cn: '合法但可疑之处：npm run schemas -- check 列出，--strict 时不通过。有意如此的，在文件中写明原因',
      en: 'Legal but probably a mistake. `npm run schemas -- check` reports it, and fails on it with --strict. If it is intended, say why in the file',
    },
    `"${reasonsKey}": { "dead-end": { "states.field.sent": "The bank answers outside of this system" } }`,
    {
      cn: '警告 → 位置 → 原因。位置及其下的同类警告不再列出；不再需要的原因会被指出',
      en: 'Warning → place → reason. The warning is not reported at that place and below; a reason that no warning needs is reported',
    },
  ],
  tables: [
    { columns, rows: Object.entries(warningMeanings).map(([code, meaning]) => [code, 'object', '', meaning, '']) },
  ],
}

/** The keys shared by fields of all types. */
function commonOf(entity: Shape<unknown>, widgets: Lists['widgets']): Record<string, Shape<unknown>> {
  const field = entity.properties!.fields.additionalProperties as Shape<unknown>
  const [branch] = field.oneOf!
  const own = Object.keys(Object.values(widgets)[0].options.properties)
  const all = Object.entries(branch.properties!).filter(([key]) => key === 'type' || !own.includes(key))
  return { ...Object.fromEntries(all), type: anyType }
}
const anyType: Shape<unknown> = {
  type: 'string',
  about: { cn: '字段类型，各类型见下', en: 'The type of the field: one of those below' },
}

const rowsOf = (shape: Shape<unknown>, path: string, examples: Examples): HelpText[][] => keysOf(shape, path, examples)

/** A row for each key, followed by those of the objects that it holds. */
function keysOf(
  { properties = {}, required = [] }: Shape<unknown>,
  path: string,
  examples: Examples,
  depth = 0,
  others: readonly Shape<unknown>[] = [],
): HelpText[][] {
  const isShared = (key: string) => others.every((other) => other.required?.includes(key))
  return Object.entries(properties).flatMap(([key, shape]) => {
    const at = `${path}${path.endsWith(' ') ? '' : '.'}${key}`
    return [
      ...rowOf(
        shownKey(at),
        shape,
        required.includes(key) ? (isShared(key) ? mustBeGiven : oneOfSeveral) : '',
        [at.slice(0, -key.length - (path.endsWith(' ') ? 0 : 1))],
        examples,
        key,
      ),
      ...(depth > 4 ? [] : below(shape, at, examples, depth + 1)),
    ]
  })
}

function below(shape: Shape<unknown>, path: string, examples: Examples, depth: number): HelpText[][] {
  // Fields are listed by type, and a text in every language has no keys of its own.
  if (path === 'entity fields.*' || shape.names === 'label') return []
  // Left out because every file may have it: warnings have their own table.
  if (path.endsWith(` ${reasonsKey}`)) return []
  const branches = shape.anyOf ?? shape.oneOf
  if (branches) {
    const forms = branches.filter(({ properties }) => properties)
    return distinct(
      branches.flatMap((branch) =>
        branch.properties ? keysOf(branch, path, examples, depth, forms) : below(branch, path, examples, depth),
      ),
    )
  }
  if (shape.items) return below(shape.items, `${path}[]`, examples, depth)
  if (shape.properties) return keysOf(shape, path, examples, depth)
  return typeof shape.additionalProperties === 'object'
    ? below(shape.additionalProperties, `${path}.*`, examples, depth)
    : []
}

/** Branches of a choice may share a key. */
const distinct = (rows: HelpText[][]): HelpText[][] =>
  rows.filter(([key], index) => rows.findIndex(([other]) => other === key) === index)

const shownKey = (path: string) => path.slice(path.indexOf(' ') + 1)

function rowOf(
  shown: string,
  shape: Shape<unknown>,
  required: HelpText,
  paths: string[],
  examples: Examples,
  key = shown,
): HelpText[][] {
  const known = paths.flatMap((path) => examples.get(path.endsWith(' ') ? `${path}${key}` : `${path}.${key}`) ?? [])
  const example = known.sort((a, b) => a.value.length - b.value.length)[0]
  const meaning = shape.names ? meanings[shape.names] : undefined
  return [
    [
      shown,
      meaning ?? typeText(shape),
      'default' in shape ? JSON.stringify(shape.default) : required,
      shape.about ?? meaningOf(paths[0].split(' ')[0], shown) ?? '',
      example ? `${example.value} — ${example.file}` : '',
    ],
  ]
}
