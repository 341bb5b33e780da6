import { describe, expect, it } from 'vitest'
import { kinds } from '../../screens/index.ts'
import { readSchemas } from '../../server/catalog/sources.ts'
import { widgets } from '../../widgets/index.ts'
import { compile } from '../compile.ts'
import { fileShapes } from '../language/fileShapes.ts'
import type { HelpSection, HelpText } from '../../model/model.ts'
import { dataDictionary } from './dataDictionary.ts'
import { examplesOf } from './examples.ts'
import { languageReference } from './language.ts'
import { operatorsManual, type Reader } from './manual.ts'
import { permissionTable } from './permissionTable.ts'

const sources = readSchemas('tests/mistakes/sound/schemas')
const { catalog } = compile(sources, { widgets, kinds, procedures: [] })
const all: Reader = { opens: () => true, may: () => true, sees: () => true }
const known = { catalog: catalog!, widgets }
const section = (sections: HelpSection[], id: string) => sections.find((each) => each.id === id)!
const rows = ({ tables }: HelpSection): HelpText[][] => tables.flatMap((table) => table.rows)

describe('the language reference', () => {
  const examples = examplesOf(sources, fileShapes(widgets, kinds))
  const sections = languageReference({ widgets, kinds }, examples)

  it('explains every key in both languages', () => {
    const silent = sections.flatMap((each) =>
      rows(each)
        .filter(([, , , about]) => typeof about !== 'object' || Object.values(about).some((text) => text === ''))
        .map(([key]) => `${each.id} ${String(key)}`),
    )
    expect(silent).toEqual([])
  })

  it('has every kind of file, every key, and every field type with its options', () => {
    const shapes = fileShapes(widgets, kinds)
    for (const [kind, { properties }] of Object.entries(shapes)) {
      const keys = rows(section(sections, kind)).map(([key]) => key)
      expect(keys, kind).toEqual(expect.arrayContaining(Object.keys(properties)))
      expect(new Set(keys).size, kind).toBe(keys.length)
    }
    for (const widget of Object.values(widgets)) {
      expect(
        rows(section(sections, `field-${widget.type}`)).map(([key]) => String(key).split('.').at(-1)),
        widget.type,
      ).toEqual(expect.arrayContaining(Object.keys(widget.options.properties)))
    }
    expect(rows(section(sections, 'field')).map(([key]) => key)).toEqual(
      expect.arrayContaining(['type', 'label', 'required', 'visibleWhen', 'computed']),
    )
  })

  it('gives examples that occur in the file that they name', () => {
    const given = sections.flatMap(rows).flatMap((row) => String(row.at(-1)) || [])
    expect(given.length).toBeGreaterThan(30)
    for (const example of given) {
      const [value, file] = example.split(' — ')
      const text = sources.find(({ path }) => path === file)!.text
      expect(text.replace(/\s/g, ''), example).toContain(value.replace(/\s/g, ''))
    }
  })

  it('explains a key in its context, and whether another form can omit it', () => {
    const row = (id: string, key: string) => {
      const [, value, required, about] = rows(section(sections, id)).find(([cell]) => cell === key)!
      return [value, required, about].map((cell) => (typeof cell === 'string' ? cell : cell.en))
    }
    expect(row('imports', 'transition.by').at(-1)).toBe('The column whose value chooses the transition')
    expect(row('imports', 'transition.of').at(-1)).toBe('Value of that column → transition')
    expect(row('field-number-series', 'fields.<number-series>.formats.by').at(-1)).toBe(
      'The field whose value chooses the format',
    )
    expect(row('list', 'tree')[2]).toMatch(/^Shows rows as a tree/)
    expect(row('entity', 'allow.update').at(-1)).toBe('Update')
    for (const key of ['via', 'only', 'owners'])
      expect(row('entity', `scope.${key}`)[1], key).toBe('needed in one of its forms')
    expect(row('entity', 'copies.by')[1]).toBe('must be given')
    expect(row('field', 'type')).toEqual(['string', '', 'The type of the field: one of those below'])
  })

  it('has every text in every language', () => {
    for (const cell of sections.flatMap(rows).flat())
      if (typeof cell !== 'string') expect(Object.keys(cell).sort()).toEqual(['cn', 'en'])
  })
})

describe("the operator's manual", () => {
  it('lists for each screen with an address its fields, rules and actions', () => {
    const sections = operatorsManual(known, all)
    expect(sections.map(({ id }) => id).sort()).toEqual(
      Object.values(catalog!.screens)
        .filter(({ route }) => route !== undefined)
        .map(({ name }) => name)
        .sort(),
    )
    const list = section(sections, 'order.list')
    expect(list.tables.map(({ title }) => title?.en)).toEqual(expect.arrayContaining(['Columns', 'Actions']))
    const order = catalog!.entities.order
    expect(rows(section(sections, 'order.form')).map(([label]) => label)).toEqual(
      expect.arrayContaining([order.fields.total.label]),
    )
  })

  it('is limited to the screens and actions of the reader', () => {
    const sections = operatorsManual(known, { ...all, opens: ({ name }) => name === 'order.list', may: () => false })
    expect(sections.map(({ id }) => id)).toEqual(['order.list'])
    expect(sections[0].tables.map(({ title }) => title?.en)).not.toContain('Actions')
  })
})

it('the permission table has every permission of an area, and who has it', () => {
  const [first] = permissionTable(catalog!, [
    { name: 'Boss', permissions: ['*:*:*'] },
    { name: 'Nobody', permissions: [] },
  ])
  const values = permissionTable(catalog!, [])
    .flatMap(rows)
    .map((row) => String(row[2]))
  expect(values.sort()).toEqual(catalog!.permissions.map(({ value }) => value).sort())
  expect(new Set(rows(first).map((row) => row.at(-1)))).toEqual(new Set(['Boss']))
})

it('the data dictionary has every field of every visible entity, and the dictionaries used', () => {
  const sections = dataDictionary(catalog!, widgets, all)
  for (const entity of Object.values(catalog!.entities))
    expect(rows(section(sections, `data-${entity.name}`)).map(([name]) => name)).toEqual(Object.keys(entity.fields))
  expect(rows(section(sections, 'dictionary-orderStatus')).map(([value]) => value)).toEqual(
    catalog!.dictionaries.orderStatus.choices.map(({ value }) => value),
  )
  expect(
    dataDictionary(catalog!, widgets, { ...all, sees: ({ name }) => name === 'customer' }).map(({ id }) => id),
  ).toContain('data-customer')
  expect(
    dataDictionary(catalog!, widgets, { ...all, sees: ({ name }) => name === 'customer' }).map(({ id }) => id),
  ).not.toContain('data-order')
})
