import { comma, composed, joinedBy, semicolon } from '../../model/language.ts'
import type {
  ActionPlan,
  Catalog,
  Entity,
  Field,
  HelpSection,
  HelpTable,
  HelpText,
  ImportPlan,
  Label,
  ScreenPlan,
  Widget,
} from '../../model/model.ts'

/** What a reader may see and do. */
export interface Reader {
  opens(screen: ScreenPlan): boolean
  may(permission: string): boolean
  sees(entity: Entity): boolean
}
type Known = { catalog: Catalog; widgets: Readonly<Record<string, Widget>> }

const words = {
  field: { cn: '字段', en: 'Field' },
  type: { cn: '类型', en: 'Type' },
  rules: { cn: '要求', en: 'Rules' },
  required: { cn: '必填', en: 'required' },
  sometimes: { cn: '视情况必填', en: 'required in some cases' },
  shown: { cn: '视情况显示', en: 'shown in some cases' },
  readOnly: { cn: '由系统填写', en: 'filled in by the system' },
  unique: { cn: '不可重复', en: 'no two alike' },
  action: { cn: '操作', en: 'Action' },
  question: { cn: '确认提示', en: 'Confirmation' },
  where: { cn: '位置', en: 'Where' },
  columns: { cn: '列', en: 'Columns' },
  filters: { cn: '筛选', en: 'Filters' },
  fields: { cn: '字段', en: 'Fields' },
  actions: { cn: '操作', en: 'Actions' },
  imported: { cn: '导入列', en: 'Columns of the import' },
  sample: { cn: '样例', en: 'Sample' },
  note: { cn: '说明', en: 'Note' },
  message: { cn: '不符合时的提示', en: 'Message if it does not hold' },
  screenRules: { cn: '校验规则', en: 'Rules' },
  at: { cn: '所在字段', en: 'At' },
} satisfies Record<string, Label>

const places: Record<ActionPlan['on'], Label> = {
  toolbar: { cn: '列表上方', en: 'above the list' },
  row: { cn: '行内', en: 'in the row' },
  batch: { cn: '勾选后', en: 'on ticked rows' },
  header: { cn: '页头', en: 'in the header' },
  footer: { cn: '页脚', en: 'in the footer' },
}

/**
 * Each screen that the reader may open: its fields with their rules, the actions available to the reader, the columns
 * of its import.
 */
export function operatorsManual({ catalog, widgets }: Known, reader: Reader): HelpSection[] {
  const areas = catalog.app.areas.map(({ name }) => name)
  const screens = Object.values(catalog.screens).filter((screen) => screen.route !== undefined && reader.opens(screen))
  const ordered = screens.sort(
    (a, b) =>
      areas.indexOf(a.area) - areas.indexOf(b.area) ||
      (a.menu?.order ?? 1000) - (b.menu?.order ?? 1000) ||
      (a.name < b.name ? -1 : 1),
  )
  return ordered.map((screen) => sectionOf(screen, { catalog, widgets }, reader))
}

function sectionOf(screen: ScreenPlan, known: Known, reader: Reader): HelpSection {
  const plans = [screen, ...Object.values(screen.variants?.plans ?? {})]
  const entity = screen.entity === undefined ? undefined : known.catalog.entities[screen.entity]
  const area = known.catalog.app.areas.find(({ name }) => name === screen.area)
  const titles = [...new Map(plans.map(({ title }) => [JSON.stringify(title), title])).values()]
  const body = plans.at(-1)!.body as Record<string, unknown>
  const fields = [...new Set(namesIn(body, 'sections'))]
  const tables: HelpTable[] = []
  if (entity) {
    for (const key of ['filters', 'columns'] as const) {
      const names = namesIn(body, key)
      if (names.length > 0) tables.push(fieldTable(words[key], names, entity, known))
    }
    if (fields.length > 0) tables.push(fieldTable(words.fields, fields, entity, known))
    const rules = fields.length > 0 ? entity.rules.filter(({ at }) => fields.includes(at)) : []
    if (rules.length > 0)
      tables.push({
        title: words.screenRules,
        columns: [words.at, words.message],
        rows: rules.map(({ at, message }) => [entity.fields[at]?.label ?? at, message]),
      })
  }
  const actions = distinct(plans.flatMap(({ body: each }) => actionsIn(each))).filter(({ permission }) =>
    reader.may(permission),
  )
  if (actions.length > 0)
    tables.push({
      title: words.actions,
      columns: [words.action, words.where, words.question],
      rows: actions.map(({ label, on, confirm }) => [label, places[on], confirm ?? '']),
    })
  const plan = (screen.body as { import?: ImportPlan }).import
  if (plan) tables.push(importTable(plan, known))
  return {
    id: screen.name,
    title: area ? join(area.label, screen.title) : screen.title,
    ...(screen.variants ? {} : !screen.parameters.some(({ required }) => required) && { route: screen.route }),
    text: titles.filter((title) => JSON.stringify(title) !== JSON.stringify(screen.title)),
    tables,
  }
}

const join = (first: Label, second: Label): Label =>
  composed([second, first], (read) => `${read(first)} / ${read(second)}`)

/** The names of fields under a key of a plan, wherever it occurs. */
function namesIn(value: unknown, key: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === key && Array.isArray(inner)
      ? fieldsIn(inner)
      : Array.isArray(value) || name === 'tabs'
        ? namesIn(inner, key)
        : [],
  )
}
const fieldsIn = (items: unknown[]): string[] =>
  items.flatMap((item) => {
    const { field, fields } = item as { field?: unknown; fields?: unknown }
    return typeof field === 'string' ? [field] : Array.isArray(fields) ? fieldsIn(fields) : []
  })

function actionsIn(value: unknown): ActionPlan[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'do' in value && 'on' in value && 'permission' in value ? [value as ActionPlan] : []
  return [...own, ...Object.values(value).flatMap(actionsIn)]
}
const distinct = (actions: ActionPlan[]) => [
  ...new Map(actions.map((action) => [`${action.name} ${action.on} ${JSON.stringify(action.label)}`, action])).values(),
]

const fieldTable = (title: Label, names: string[], { fields }: Entity, { catalog, widgets }: Known): HelpTable => ({
  title,
  columns: [words.field, words.type, words.rules],
  rows: names
    .filter((name) => Object.hasOwn(fields, name))
    .map((name) => [fields[name].label, widgets[fields[name].type].label, rulesOf(fields[name], catalog, widgets)]),
})

/** The rules that apply when filling it in. */
export function rulesOf(
  field: Field,
  catalog: Pick<Catalog, 'dictionaries'>,
  widgets: Readonly<Record<string, Widget>>,
): HelpText {
  const dictionary = widgets[field.type].dictionary?.(field.options)
  const choices = dictionary === undefined ? [] : (catalog.dictionaries[dictionary]?.choices ?? [])
  const parts: Label[] = [
    ...(field.required ? [words.required] : field.requiredWhen !== undefined ? [words.sometimes] : []),
    ...(field.visibleWhen !== undefined ? [words.shown] : []),
    ...(field.readOnly || field.computed ? [words.readOnly] : []),
    ...(field.unique ? [words.unique] : []),
    ...(choices.length > 0 && choices.length <= 12 ? [listed(choices.map(({ label }) => label))] : []),
    ...(field.hint ? [field.hint] : []),
  ]
  return parts.length === 0 ? '' : joinedBy(semicolon, parts)
}
const listed = (labels: Label[]): Label => joinedBy(comma, labels)

function importTable({ columns, into }: ImportPlan, { catalog, widgets }: Known): HelpTable {
  const { fields } = catalog.entities[into]
  return {
    title: words.imported,
    columns: [words.columns, words.type, words.rules, words.sample, words.note],
    rows: columns.map(({ field, label, required, sample, note }) => [
      label,
      widgets[fields[field]?.type]?.label ?? '',
      required ? words.required : fields[field] ? rulesOf(fields[field], catalog, widgets) : '',
      sample ?? '',
      note ?? '',
    ]),
  }
}
