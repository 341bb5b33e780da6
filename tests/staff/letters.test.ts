import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { contracts, employee, employer, serviceValues, sign } from '../contract.ts'
import { picture, upload } from '../customer.ts'
import { createTestServer, type TestServer } from '../server.ts'

const [letters, certificates, records] = ['/staff/proof', '/staff/certificate', '/staff/proofRecord']
let house: TestServer
let person: number
let customer: number
beforeAll(async () => {
  house = await createTestServer()
  const at = await employer(house)
  customer = at.customer
  const service = await house.create(contracts, serviceValues(at.customer, at.agency))
  await sign(house, service, '2026-01-01')
  person = (await employee(house, { customer: at.customer, agency: at.agency, service })).id
})
afterAll(() => house?.close())

let count = 0
const template = (values: Record<string, Value> = {}) =>
  house.create(certificates, {
    name: `模板${++count}`,
    proofType: 'onJob',
    language: 'zh',
    sealType: 'hr',
    content:
      '<h2>在职证明</h2><p>{{proof.proofNo}}：{{person.name}}自{{person.entryDate}}任职，用于{{proof.purpose}}。</p>',
    ...values,
  })
const letterOf = async (id: number): Promise<RecordData> => (await house.admin.get(`${letters}/detail`, { id })).result
const suggest = async (values: Record<string, Value>, typed: string[]) =>
  (await house.admin.post(`${letters}/suggest`, { values, typed, parameters: {} })).result
const post = (action: string, id: number, values: Record<string, Value> = {}) =>
  house.admin.post(`${letters}/${action}`, { id, values })
const listed = async (id: number): Promise<RecordData[]> =>
  (await house.admin.get(`${records}/list`, { filters: { proof: { equals: id } }, sort: 'operatedAt' })).result.list

async function letter(certificate: number, values: Record<string, Value> = {}): Promise<number> {
  return house.create(letters, {
    person,
    proofType: 'onJob',
    certificate,
    purpose: '办理贷款',
    sealType: 'hr',
    content: '<p>{{proof.proofNo}}</p>',
    ...values,
  })
}

describe('a template', () => {
  it('accepts only known placeholders, can be copied, and counts its versions', async () => {
    const wrong = await house.admin.post(`${certificates}/create`, {
      values: { name: '错误模板', proofType: 'onJob', sealType: 'hr', content: '<p>{{person.nmae}}</p>' },
    })
    expect(wrong.errors).toMatchObject([{ field: 'content', message: '占位符{{person.nmae}}不存在' }])
    const id = await template({ name: '通用', paper: 'a5', customers: [customer] })
    const copy = await house.create(certificates, { copyOf: id })
    expect((await house.admin.get(`${certificates}/detail`, { id: copy })).result).toMatchObject({
      name: '通用 副本',
      paper: 'a5',
      proofType: 'onJob',
      version: 1,
      customers: [{ id: customer }],
    })
    const { revision } = (await house.admin.get(`${certificates}/detail`, { id })).result
    await house.admin.post(`${certificates}/update`, { id, revision, values: { content: '<p>{{person.name}}</p>' } })
    expect((await house.admin.get(`${certificates}/detail`, { id })).result).toMatchObject({ version: 2 })
    await house.admin.post(`${certificates}/disable`, { ids: [id, copy] })
  })
})

describe('a letter', () => {
  it('is suggested from the template, drafted, approved, printed, downloaded, stamped and voided', async () => {
    const certificate = await template({ sealType: 'company' })
    const { values } = await suggest({ person, proofType: 'onJob', language: 'zh', purpose: '办理贷款' }, [
      'person',
      'proofType',
      'purpose',
    ])
    expect(values).toMatchObject({
      certificate: { id: certificate },
      sealType: 'company',
      content: '<h2>在职证明</h2><p>{{proof.proofNo}}：林晓演自2024年4月1日任职，用于办理贷款。</p>',
    })
    const id = await letter(certificate, { content: values.content, sealType: 'company' })
    const drafted = await letterOf(id)
    expect(drafted).toMatchObject({
      proofNo: expect.stringMatching(/^ZM20260315\d{4}$/),
      customer: { id: customer },
      status: 'draft',
      issueDate: '2026-03-15',
      copies: 1,
    })
    expect(drafted.content).toBe(
      `<h2>在职证明</h2><p>${String(drafted.proofNo)}：林晓演自2024年4月1日任职，用于办理贷款。</p>`,
    )
    expect(await post('download', id)).toMatchObject({ code: 409 })
    expect(await post('submit', id)).toMatchObject({ code: 1 })
    expect(await post('approve', id)).toMatchObject({ code: 1 })
    const approved = await letterOf(id)
    expect(approved).toMatchObject({
      status: 'approved',
      approvedAt: expect.any(String),
      generatedFile: [{ name: `${String(drafted.proofNo)}.pdf` }],
    })
    // The file has the same content, which is masked for users who see people masked.
    await house.create('/setting/role', {
      code: 'proofreader',
      name: '只看证明',
      dataScope: 'all',
      functionPermissions: ['staff:proof:view', 'staff:proof:download'],
    })
    const reader = await house.user('proofreader', ['proofreader'])
    const { result: masked } = await reader.get(`${letters}/detail`, { id })
    expect(JSON.stringify([masked.content, masked.generatedFile])).not.toMatch(/林晓演|api.files/)
    expect(await reader.post(`${letters}/download`, { id })).toMatchObject({ code: 403 })
    const { result } = await post('download', id)
    expect(JSON.stringify((await reader.get(`${records}/list`)).result)).not.toContain('/api/files')
    expect(result).toMatchObject({ succeeded: 1, files: [{ name: `${String(drafted.proofNo)}.pdf` }] })
    const file = await house.server.inject({ url: result.files[0].url, headers: { token: house.admin.token } })
    expect([file.statusCode, file.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])

    const scan = (await upload(house, house.admin, 'stamped.png', picture)).result
    expect((await post('upload', id)).errors?.map(({ field }) => field)).toEqual(['scanFile'])
    expect(await post('upload', id, { scanFile: [{ ...scan, status: 'success' }] as unknown as Value })).toMatchObject({
      code: 1,
    })
    expect((await post('download', id)).result.files).toMatchObject([{ name: 'stamped.png' }])
    expect(await letterOf(id)).toMatchObject({ status: 'issued', downloadCount: 2 })
    expect((await listed(id)).map(({ type }) => String(type)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'down',
      'down',
      'up',
    ])
    expect((await post('void', id)).errors?.map(({ field }) => field)).toEqual(['voidReason'])
    expect(await post('void', id, { voidReason: '信息有误' })).toMatchObject({ code: 1 })
    expect(await post('download', id)).toMatchObject({ code: 409 })
  })

  it('cannot be submitted incomplete, and is printed at once if it needs no approval', async () => {
    const certificate = await template({ needApproval: false })
    const missing = await letter(certificate, { content: '<p>{{person.leaveDate}}</p>' })
    expect(await post('submit', missing)).toMatchObject({ code: 409, message: '证明内容中还有未填充的占位符' })
    const id = await letter(certificate)
    await post('submit', id)
    expect(await letterOf(id)).toMatchObject({ status: 'approved', approver: null, generatedFile: [expect.anything()] })
  })

  it('is rejected with a reason, corrected and resubmitted; template and person must fit it', async () => {
    const certificate = await template()
    const id = await letter(certificate)
    await post('submit', id)
    expect((await post('reject', id)).errors?.map(({ field }) => field)).toEqual(['rejectReason'])
    await post('reject', id, { rejectReason: '用途不明确' })
    const { revision } = await letterOf(id)
    expect(
      await house.admin.post(`${letters}/update`, { id, revision, values: { purpose: '购房贷款' } }),
    ).toMatchObject({ code: 1 })
    await post('submit', id)
    expect(await letterOf(id)).toMatchObject({ status: 'submitted', rejectReason: null })
    const refused = async (values: Record<string, Value>) =>
      (
        await house.admin.post(`${letters}/create`, {
          values: {
            person,
            proofType: 'onJob',
            certificate,
            purpose: '贷款',
            sealType: 'hr',
            content: '<p>x</p>',
            ...values,
          },
        })
      ).errors?.map(({ field }) => field)
    expect(await refused({ proofType: 'visa' })).toEqual(['certificate'])
    expect(await refused({ proofType: 'leave', certificate: await template({ proofType: 'leave' }) })).toEqual([
      'person',
    ])
    expect(await refused({ proofType: 'income', certificate: await template({ proofType: 'income' }) })).toEqual([
      'averageIncome',
    ])
  })
})
