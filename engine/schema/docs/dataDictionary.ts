import type { Catalog, HelpSection, Label, Widget } from '../../model/model.ts'
import { rulesOf, type Reader } from './manual.ts'

const columns: Label[] = [
  { cn: '字段', en: 'Field' },
  { cn: '名称', en: 'Name' },
  { cn: '类型', en: 'Type' },
  { cn: '数据库列', en: 'Column' },
  { cn: '指向', en: 'Points at' },
  { cn: '要求', en: 'Rules' },
]
const choiceColumns: Label[] = [
  { cn: '值', en: 'Value' },
  { cn: '名称', en: 'Name' },
]

/** Every entity whose records the reader may see, field by field, and the dictionaries that they use. */
export function dataDictionary(
  catalog: Catalog,
  widgets: Readonly<Record<string, Widget>>,
  reader: Reader,
): HelpSection[] {
  const entities = Object.values(catalog.entities).filter((entity) => reader.sees(entity))
  const used = new Set(
    entities.flatMap((entity) =>
      Object.values(entity.fields).flatMap((field) => widgets[field.type].dictionary?.(field.options) ?? []),
    ),
  )
  return [
    ...entities.map((entity): HelpSection => ({
      id: `data-${entity.name}`,
      title: entity.label,
      text: [`${entity.area}/${entity.name}`],
      tables: [
        {
          columns,
          rows: Object.values(entity.fields).map((field) => {
            const target = widgets[field.type].target?.(field.options)
            const column = catalog.tables[entity.name]?.columns.find(({ name }) => name === field.name)
            return [
              field.name,
              field.label,
              widgets[field.type].label,
              column?.type ?? '',
              target ? (catalog.entities[target.entity]?.label ?? target.entity) : '',
              rulesOf(field, catalog, widgets),
            ]
          }),
        },
      ],
    })),
    // Other pages already list the compiler's own dictionaries.
    ...Object.values(catalog.dictionaries)
      .filter(({ name, choices }) => used.has(name) && choices.length <= 200)
      .map((dictionary): HelpSection => ({
        id: `dictionary-${dictionary.name}`,
        title: dictionary.label,
        text: [dictionary.name],
        tables: [{ columns: choiceColumns, rows: dictionary.choices.map(({ value, label }) => [value, label]) }],
      })),
  ]
}
