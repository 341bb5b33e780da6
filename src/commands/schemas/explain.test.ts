import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemasCommand } from '../../../tests/schemasCommand.ts'
import { copySoundTree } from '../../../tests/soundTree.ts'

let home: string
let directory: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'formwork-explain-'))
  directory = join(home, 'schemas')
  copySoundTree(directory)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const explain = (...words: string[]) => schemasCommand('explain', ...words, '--schemas', directory)

test('explains several names, each as it would be alone', async () => {
  const [order, route, both] = [
    await explain('order.pay'),
    await explain('/order'),
    await explain('order.pay', '/order'),
  ]
  expect([order.status, route.status, both.status]).toEqual([0, 0, 0])
  expect(both.output).toBe(`${order.output}\n\n${route.output}`)
  const parsed = (output: string): unknown => JSON.parse(output)
  const json = await explain('order.pay', '/order', '--json')
  expect(parsed(json.output)).toEqual([
    parsed((await explain('order.pay', '--json')).output),
    parsed((await explain('/order', '--json')).output),
  ])
})

test('says which of several names there is not, and explains changed files anew', async () => {
  expect(await explain('order.pay', 'order.pya')).toEqual({
    status: 2,
    output: expect.stringContaining('order has no field "pya". Did you mean "pay"?'),
  })
  const file = join(directory, 'shop/orderStatus.dictionary.json')
  writeFileSync(file, '{')
  expect(await explain('order.pay')).toEqual({
    status: 1,
    output: expect.stringContaining('nothing can be explained before they are mended'),
  })
})
