import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { openApiOf } from './openApiRoutes.ts'

interface Operation {
  operationId: string
  requestBody?: object
  parameters?: { name: string; in: string }[]
}

let house: TestServer
let document: { paths: Record<string, Record<string, Operation>> }
beforeAll(async () => {
  house = await createTestServer()
  document = (await house.server.inject({ url: '/api/openapi.json', headers: { token: house.admin.token } })).json()
})
afterAll(() => house?.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, { parameters: _, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )

test('the document is valid OpenAPI according to a public validator', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('the document is made once, because nothing else is answered meanwhile', () => {
  const { derived } = house.runtime
  expect(openApiOf(derived)).toBe(openApiOf(derived))
})

test('calls that read take no body, and calls that write have one', () => {
  expect(operations().filter(({ method, requestBody }) => method === 'get' && requestBody)).toEqual([])
  const bare = operations().filter(({ method, requestBody }) => method === 'post' && !requestBody)
  expect(bare.map(({ operationId }) => operationId)).toEqual(['session.logout', 'messages.readAll', 'schemas.reload'])
})

test('each call has a unique name, and declares each parameter of its path', () => {
  const ids = operations().map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, parameters = [] } of operations())
    expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
})

test('the document contains every call, except those that are never allowed', () => {
  const { operations: served } = house.runtime.derived
  const documented = new Set(operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`))
  const missing = [...served].filter(([key]) => !documented.has(key)).map(([, operation]) => operation)
  for (const { name, entity } of missing)
    expect(entity.allow[name as keyof typeof entity.allow], `${entity.name}.${name}`).toBe(false)
})
