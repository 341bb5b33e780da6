import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const door = fileURLToPath(new URL('index.ts', import.meta.url))
const program = `
import { checkExpression, evaluateCondition, evaluateFormula, expandTemplate } from ${JSON.stringify(door)}
let refused = false
try { new Function('return 1')() } catch (error) { refused = error instanceof EvalError }
const types = { price: 'decimal', tags: 'list<string>' }
const scope = { record: { price: '0.1', tags: ['a'] }, now: '2026-01-01 00:00:00' }
console.log(JSON.stringify([
  refused,
  checkExpression('price * 1.06 > 0 && tags.exists(tag, tag == "a")', types, 'boolean'),
  evaluateCondition('price * 3 == 0.3 && tags.exists(tag, tag == "a")', scope, types),
  evaluateFormula('round(price * 1.06, 2)', scope, types),
  expandTemplate(['\${key}', { $each: 'list', $value: '\${item + 1}' }], { key: 'k', list: [1] }).value,
]))`

it('generates no code, so that it runs under a strict content security policy', () => {
  const flags = ['--disallow-code-generation-from-strings', '--import', 'tsx', '--input-type=module', '--eval', program]
  const output = execFileSync(process.execPath, flags, {
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
  expect(JSON.parse(output)).toEqual([true, [], true, '0.11', ['k', 2]])
})
