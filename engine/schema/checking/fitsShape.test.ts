/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema */
import { Ajv } from 'ajv'
import { afterEach, expect, test, vi } from 'vitest'
import { lists } from '../../../src/lists.ts'
import { readSchemas } from '../../server/catalog/sources.ts'
import { compile } from '../compile.ts'
import { fitsShape } from './fitsShape.ts'

afterEach(() => vi.restoreAllMocks())

test('sound files need no compiled shape', () => {
  const compiled = vi.spyOn(Ajv.prototype, 'compile')
  const sources = readSchemas('schemas').map((source) => ({ ...source }))
  expect(compile(sources, lists).issues).toEqual([])
  expect(compiled.mock.calls.map(([shape]) => JSON.stringify(shape).slice(0, 200))).toEqual([])
})

const kind = (word: string, rest: object) => ({ properties: { kind: { const: word }, ...rest }, required: ['kind'] })
const shapes: object[] = [
  { type: 'string', pattern: '^[a-z]+$', like: 'abc' },
  { type: 'string', minLength: 2, maxLength: 3 },
  { type: 'integer', minimum: 1, maximum: 3, atMost: 'most' },
  { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
  { type: 'array', contains: { const: 'a' } },
  { type: 'array', uniqueItems: true },
  { enum: ['a', 1, null] },
  { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 3 }] },
  { allOf: [{ minimum: 1 }, { maximum: 2 }, { minLength: 1 }] },
  { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false, required: ['a'] },
  { type: 'object', additionalProperties: { type: 'integer' } },
  {
    type: 'object',
    discriminator: { propertyName: 'kind' },
    oneOf: [kind('a', { a: { type: 'integer' } }), kind('b', { b: { type: 'string' } })],
    required: ['kind'],
  },
  {
    if: { properties: { a: { minimum: 2 } }, required: ['a'] },
    then: { required: ['b'] },
    else: { required: ['kind'] },
  },
  { if: { contains: { const: 'b' } }, then: { minItems: 2 } },
]
const objects = [{}, { a: 1 }, { a: 2 }, { a: 2, b: 'x' }, { kind: 'a', a: 1 }, { kind: 'a', a: 'x' }, { kind: 'c' }]
const arrays = [[], ['a'], ['b'], ['a', 'b'], ['a', 'a'], [1, 2], [1, 2, 3, 4]]
const values: unknown[] = [null, true, '', '𠮷', '𠮷𠮷', 'ab', 'abcd', 0, 1, 2, 2.5, 4, ...arrays, ...objects]

test.each(shapes.map((shape) => ({ shape, text: JSON.stringify(shape) })))(
  'judges like the compiled shape: $text',
  ({ shape }) => {
    const validate = new Ajv({ strict: false, discriminator: true }).compile(shape)
    for (const value of values) expect([value, fitsShape(value, shape)]).toEqual([value, validate(value)])
  },
)

test.each<[object, unknown]>([
  [{ not: { type: 'string' } }, 1],
  [{ propertyNames: { minLength: 2 } }, { ab: 1 }],
  [{ type: 'array', uniqueItems: true }, [{ a: 1 }, { a: 2 }]],
  [{ if: { not: { type: 'string' } }, then: { type: 'string' } }, 'a'],
  [{ if: { properties: { a: { multipleOf: 2 } } }, then: { required: ['b'] } }, { a: 2 }],
  [{ enum: [{ a: 1 }] }, { a: 1 }],
])('leaves undecided what it does not understand: %j', (shape, value) => {
  expect(fitsShape(value, shape)).toBe(false)
})
