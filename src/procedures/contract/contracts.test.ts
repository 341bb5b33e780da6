import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileValue, RecordData } from '../../../engine/model/model.ts'
import { contracts, employer, serviceValues } from '../../../tests/contract.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
let contract: number
beforeAll(async () => {
  house = await createTestServer()
  const { customer, agency } = await employer(house)
  contract = await house.create(contracts, serviceValues(customer, agency))
})
afterAll(() => house?.close())

const templates = '/contract/contractTemplate'
const detail = async (id = contract): Promise<RecordData> =>
  (await house.admin.get(`${contracts}/detail`, { id })).result
const draw = () => house.admin.post(`${contracts}/draw`, { id: contract })

test('a contract is drawn from the template of its category, as a PDF and a Word file', async () => {
  expect(await draw()).toMatchObject({ code: 1 })
  const { drawnFiles, templateVersion, contractNo } = await detail()
  expect(templateVersion).toBe(1)
  const files = drawnFiles as FileValue[]
  expect(files.map(({ name }) => name)).toEqual([`${String(contractNo)}.pdf`, `${String(contractNo)}.docx`])
  const { rows } = await house.database.pool.query<{ name: string; size: number }>(
    'select name, size::integer from system_file where name = any($1)',
    [files.map(({ name }) => name)],
  )
  expect(rows.map(({ size }) => size > 2000)).toEqual([true, true])
})

test('a template has versions, and only placeholders that contracts have', async () => {
  const [{ id }] = (await house.admin.get(`${templates}/list`, { filters: { category: { equals: 'service' } } })).result
    .list
  const template: RecordData = (await house.admin.get(`${templates}/detail`, { id })).result
  const save = (text: string) =>
    house.admin.post(`${templates}/update`, { id, revision: template.revision, values: { content: text } })
  expect(await save('<p>{{customer.nmae}}</p>')).toMatchObject({
    code: 422,
    errors: [{ field: 'content', message: '占位符{{customer.nmae}}不存在' }],
  })
  expect(await save(`${String(template.content)}<p>五、补充条款。</p>`)).toMatchObject({ code: 1 })
  expect(await draw()).toMatchObject({ code: 1 })
  expect(await detail()).toMatchObject({ templateVersion: 2 })
})

test('a template of another category, or with missing values, draws nothing', async () => {
  const use = async (content: string, category: string) => {
    const template = await house.create(templates, { name: `模板${category}${content.length}`, category, content })
    const { revision } = await detail()
    expect(
      await house.admin.post(`${contracts}/update`, { id: contract, revision, values: { template } }),
    ).toMatchObject({ code: 1 })
    return draw()
  }
  expect(await use('<p>{{person.name}}</p>', 'labor')).toMatchObject({
    code: 422,
    errors: [{ message: '模板与合同的类别不一致' }],
  })
  expect(await use('<p>{{contract.monthlyWage}} {{contract.position}}</p>', 'service')).toMatchObject({
    code: 422,
    errors: [{ message: '合同缺少模板需要的内容：contract.monthlyWage、contract.position' }],
  })
})

test('a signature is recorded with the signed file, or not at all', async () => {
  const { revision } = await detail()
  await house.admin.post(`${contracts}/update`, { id: contract, revision, values: { signMethod: 'electronic' } })
  const record = (values: object) => house.admin.post(`${contracts}/recordESign`, { id: contract, values })
  expect(await record({ eSignStatus: 'signed' })).toMatchObject({ code: 422, errors: [{ field: 'signedFile' }] })
  expect(await record({ eSignStatus: 'sent' })).toMatchObject({ code: 1 })
  expect(await detail()).toMatchObject({ eSignStatus: 'sent' })
})
