import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { getLanguageService, TextDocument } from 'vscode-json-languageservice'
import { kinds } from '../../screens/index.ts'
import { widgets } from '../../widgets/index.ts'
import { editorFiles } from './editor.ts'
import { editorNames, namesFile } from './editorNames.ts'

const files = editorFiles(widgets, kinds)
const label = { cn: '甲', en: 'A' }
const names = JSON.parse(
  editorNames({
    fields: { order: ['total'] },
    dictionaries: ['orderStatus'],
    screens: ['order.list'],
    permissions: ['shop:order:view'],
    procedures: ['print'],
    roles: ['clerk'],
    actions: ['agree'],
  }),
) as { $defs: Record<string, { enum: string[] }> }
const validator = (kind: string) =>
  new Ajv({ strict: false })
    .addSchema(names, namesFile)
    .compile(JSON.parse(files[`engine/schema/editor/${kind}.schema.json`]))

describe('the schemas for editors', () => {
  test('accept and refuse fields as the compiler does', () => {
    const validate = validator('entity')
    const entity = (field: object) => ({ label, display: 'a', fields: { a: { label, ...field } } })
    expect(validate(entity({ type: 'money' }))).toBe(true)
    expect(validate(entity({ type: 'mony' }))).toBe(false)
    expect(validate(entity({ type: 'money', choices: 'x' }))).toBe(false)
    expect(validate(entity({ type: 'choice', choices: 'x' }))).toBe(true)
    expect(validate(entity({ type: 'choice' }))).toBe(false)
  })

  test('contain shorthands and every kind of screen', () => {
    expect(validator('list')({ title: label, columns: ['a', { field: 'b', sum: true }] })).toBe(true)
    expect(validator('list')({ title: label, columns: [{ field: 'b', some: true }] })).toBe(false)
    for (const kind of Object.keys(kinds)) expect(files).toHaveProperty([`engine/schema/editor/${kind}.schema.json`])
  })

  test('explain every key', () => {
    const silent: string[] = []
    const walk = (node: unknown, path: string, definitions: Record<string, object>): void => {
      if (typeof node !== 'object' || node === null) return
      const isDescribed = (shape: object) =>
        'description' in shape ||
        ('$ref' in shape && 'description' in definitions[String(shape.$ref).split('/').at(-1)!])
      for (const [key, under] of Object.entries(node)) {
        if (key === 'properties') {
          for (const [name, shape] of Object.entries(under as object))
            if (!isDescribed(shape) && !('const' in shape)) silent.push(`${path}.${name}`)
        }
        walk(under, `${path}.${key}`, definitions)
      }
    }
    for (const [file, text] of Object.entries(files)) {
      if (file.startsWith('.vscode')) continue
      const schema = JSON.parse(text) as { $defs?: Record<string, object> }
      walk(schema, file.split('/').at(-1)!, schema.$defs ?? {})
    }
    expect(silent).toEqual([])
  })

  test('offer the known names, and refuse no others', () => {
    expect(names.$defs).toMatchObject({
      entity: { enum: ['order'] },
      field: { enum: ['total'] },
      permission: { enum: ['shop:order:view'] },
      role: { enum: ['clerk'] },
    })
    const { properties } = JSON.parse(files['engine/schema/editor/list.schema.json']) as {
      properties: Record<string, object>
    }
    expect(properties.entity).toMatchObject({ anyOf: [{ $ref: `${namesFile}#/$defs/entity` }, {}] })
    expect(validator('list')({ title: label, entity: 'orderOfToday', columns: ['paidOn'] })).toBe(true)
  })

  const service = getLanguageService({
    schemaRequestService: (url) =>
      Promise.resolve(url.endsWith('names.schema.json') ? JSON.stringify(names) : files[url.slice('file:///'.length)]),
    workspaceContext: { resolveRelativePath: (to, from) => new URL(to, from).href },
  })
  service.configure({
    schemas: ['list', 'form', 'entity', 'imports', 'records'].map((kind) => ({
      uri: `file:///engine/schema/editor/${kind}.schema.json`,
      fileMatch: [`*.${kind}.json`],
    })),
  })
  test.each([
    ['list', '{ "entity": "|" }', 'order'],
    ['list', '{ "columns": ["|"] }', 'total'],
    ['list', '{ "columns": [{ "field": "|" }] }', 'total'],
    ['list', '{ "filters": ["|"] }', 'total'],
    ['list', '{ "actions": ["|"] }', 'agree'],
    ['list', '{ "sort": "|" }', 'total'],
    ['list', '{ "tabs": [{ "filter": { "|" } }] }', 'total'],
    ['form', '{ "sections": [{ "fields": ["|"] }] }', 'total'],
    ['form', '{ "preset": { "|" } }', 'total'],
    ['entity', '{ "search": ["|"] }', 'total'],
    ['entity', '{ "indexes": [["|"]] }', 'total'],
    ['entity', '{ "permissions": { "view": "|" } }', 'shop:order:view'],
    ['entity', '{ "actions": { "print": { "run": "|" } } }', 'print'],
    ['entity', '{ "actions": { "print": { "set": { "|" } } } }', 'total'],
    ['imports', '{ "columns": ["|"] }', 'total'],
    ['records', '{ "rows": [{ "|" }] }', 'total'],
  ])('an editor offers names in a %s at %s', async (kind, marked, name) => {
    const document = TextDocument.create(`file:///a.${kind}.json`, 'json', 1, marked.replace('|', ''))
    const position = document.positionAt(marked.indexOf('|'))
    const offered = await service.doComplete(document, position, service.parseJSONDocument(document))
    expect(offered?.items.map(({ label: offer }) => offer.replaceAll('"', ''))).toContain(name)
  })

  test('contain no word of the internal vocabulary', () => {
    expect(Object.values(files).join()).not.toMatch(/"(names|holes|shorthand|discriminator|about)":/)
  })
})

test('accept every file of the product, including families with the keys of their templates', () => {
  const root = join(import.meta.dirname, '../../../schemas')
  const validators = new Map<string, ReturnType<typeof validator>>()
  // Files in a template's own folder contain parameters, and editors get no schema for them.
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.json') && path.split('/').length <= 2)
  expect(paths.length).toBeGreaterThan(300)
  const refused = paths.flatMap((path) => {
    const kind = path === 'app.json' ? 'app' : path.split('.').at(-2)!
    const validate = validators.get(kind) ?? validator(kind)
    validators.set(kind, validate)
    const isValid = validate(JSON.parse(readFileSync(join(root, path), 'utf8')))
    return isValid ? [] : [`${path}: ${validate.errors?.[0].instancePath} ${validate.errors?.[0].message}`]
  })
  expect(refused).toEqual([])
})
