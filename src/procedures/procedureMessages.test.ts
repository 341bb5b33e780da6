import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import messageTypes from '../../schemas/setting/messageType.dictionary.json' with { type: 'json' }
import { procedureMessages } from './procedureMessages.ts'

test('the messages that procedures send are those of their code', () => {
  const types = new Set(messageTypes.choices.map(({ value }) => value))
  const sent = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(join(import.meta.dirname, path), 'utf8').matchAll(/\btype: '(\w+)'/g)])
    .map(([, type]) => type)
    .filter((type) => types.has(type))
  expect([...new Set(sent)].sort()).toEqual([...procedureMessages].sort())
})
