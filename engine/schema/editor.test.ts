import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { kinds } from '../screens/index.ts'
import { widgets } from '../widgets/index.ts'
import { editorFiles } from './editor.ts'

const files = editorFiles(widgets, kinds)
const label = { cn: '甲', en: 'A' }
const validator = (kind: string) =>
  new Ajv({ strict: false }).compile(JSON.parse(files[`engine/schema/editor/${kind}.schema.json`]))

describe('what an editor is given', () => {
  test('accepts and refuses fields as the compiler does', () => {
    const validate = validator('entity')
    const entity = (field: object) => ({ label, display: 'a', fields: { a: { label, ...field } } })
    expect(validate(entity({ type: 'money' }))).toBe(true)
    expect(validate(entity({ type: 'mony' }))).toBe(false)
    expect(validate(entity({ type: 'money', choices: 'x' }))).toBe(false)
    expect(validate(entity({ type: 'choice', choices: 'x' }))).toBe(true)
    expect(validate(entity({ type: 'choice' }))).toBe(false)
  })

  test('knows shorthands and every kind of screen', () => {
    expect(validator('list')({ title: label, columns: ['a', { field: 'b', sum: true }] })).toBe(true)
    expect(validator('list')({ title: label, columns: [{ field: 'b', some: true }] })).toBe(false)
    for (const kind of Object.keys(kinds)) expect(files).toHaveProperty([`engine/schema/editor/${kind}.schema.json`])
  })

  test('says what every key means', () => {
    const silent: string[] = []
    const walk = (node: unknown, path: string, definitions: Record<string, object>): void => {
      if (typeof node !== 'object' || node === null) return
      const isSaid = (shape: object) =>
        'description' in shape ||
        ('$ref' in shape && 'description' in definitions[String(shape.$ref).split('/').at(-1)!])
      for (const [key, under] of Object.entries(node)) {
        if (key === 'properties') {
          for (const [name, shape] of Object.entries(under as object))
            if (!isSaid(shape) && !('const' in shape)) silent.push(`${path}.${name}`)
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

  test('holds no word of our own vocabulary', () => {
    expect(Object.values(files).join()).not.toMatch(/"(names|holes|shorthand|discriminator|about)":/)
  })
})
