/**
 * The cashier's books: bank branches, the provider's own accounts and wage cards, and who sees their numbers in full.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordData, Value } from '../engine/model/model.ts'
import { contracts, employee, employer, serviceValues } from './contract.ts'
import { receiptHouse, type ReceiptHouse } from './receipts.ts'
import { createTestServer, type Client, type TestServer } from './server.ts'

const [banks, accounts, cards] = ['/bank/bank', '/bank/companyAccount', '/bank/personBankCard']
let house: TestServer
let money: ReceiptHouse
let cashier: Client
let clerk: Client
let auditor: Client
beforeAll(async () => {
  house = await createTestServer()
  money = await receiptHouse(house)
  ;[cashier, clerk, auditor] = [
    await house.user('cashing', ['cashier']),
    await house.user('paying', ['payrollClerk']),
    await house.user('reading', ['auditor']),
  ]
})
afterAll(() => house?.close())

let series = 0
const branch = (values: Record<string, Value> = {}) =>
  house.create(banks, {
    bankName: '南屏示范银行',
    branchName: `南屏示范银行样例支行${++series}`,
    cnapsCode: `9921000000${String(series).padStart(2, '0')}`,
    kind: 'city',
    city: '320500',
    ...values,
  })
/** A card number with a valid check digit. */
function cardNumber(): string {
  const body = `990002000000${String(++series).padStart(6, '0')}`
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return body + String((10 - (sum % 10)) % 10)
}
const detail = async (path: string, id: number, as: Client = house.admin): Promise<RecordData> =>
  (await as.get(`${path}/detail`, { id })).result
const change = async (path: string, id: number, values: Record<string, Value>, as: Client = house.admin) =>
  as.post(`${path}/update`, { id, revision: (await detail(path, id)).revision, values })
async function person(): Promise<number> {
  const { customer, agency } = await employer(house)
  const service = await house.create(contracts, serviceValues(customer, agency))
  return (await employee(house, { customer, agency, service })).id
}
const card = async (owner: number, bank: number, values: Record<string, Value> = {}, as: Client = house.admin) =>
  house.create(cards, { person: owner, accountNo: cardNumber(), bank, ...values }, as)

describe('a branch', () => {
  test('takes the code of its bank from its clearing code, which is unique', async () => {
    const id = await branch()
    const made = await detail(banks, id)
    expect(made).toMatchObject({ bankCode: '992', status: 'enabled', wageSupported: true })
    expect(
      (
        await house.admin.post(`${banks}/create`, {
          values: {
            bankName: '南屏示范银行',
            branchName: '南屏示范银行另一支行',
            cnapsCode: made.cnapsCode,
            kind: 'city',
            city: '320500',
          },
        })
      ).errors,
    ).toMatchObject([{ field: 'cnapsCode', message: '联行号已存在' }])
  })

  test('cannot be disabled while it holds an account or a card in use', async () => {
    const bank = await branch()
    const id = await card(await person(), bank, { isDefault: false })
    const refused = await house.admin.post(`${banks}/disable`, { id: bank })
    expect(refused).toMatchObject({ code: 409, message: '该银行仍有在用账户或工资卡，不能停用' })
    await change(cards, id, { bank: await branch() })
    expect((await house.admin.post(`${banks}/disable`, { id: bank })).code).toBe(1)
  })
})

describe('an own account', () => {
  test('has one basic and one default account per legal entity; a masked number cannot be searched', async () => {
    const bank = await branch()
    const values = {
      agency: money.agency,
      accountNo: '9900880000000099',
      bank,
      accountKind: 'general',
      purpose: ['receipt'],
    }
    expect((await cashier.post(`${accounts}/create`, { values: { ...values, accountKind: 'basic' } })).message).toBe(
      '每个主体只能有一个基本户',
    )
    const id = await house.create(accounts, { ...values, isDefault: true }, cashier)
    expect(await detail(accounts, id)).toMatchObject({ accountName: '自营机构' })
    expect(
      (
        await cashier.post(`${accounts}/create`, {
          values: { ...values, accountNo: '9900880000000098', isDefault: true },
        })
      ).message,
    ).toBe(`每个主体只能有一个默认收款账户：${String((await detail(banks, bank)).branchName)}`)
    expect((await cashier.post(`${accounts}/disable`, { id })).message).toBe('默认收款账户不能停用')

    expect(await detail(accounts, id, auditor)).toMatchObject({ accountNo: '****0099' })
    expect(await detail(accounts, id, cashier)).toMatchObject({ accountNo: '9900880000000099' })
    const found = async (filters: object) =>
      (await auditor.get(`${accounts}/list`, { filters })).result?.total as number | undefined
    expect(await found({ shortNo: { contains: '0099' } })).toBe(1)
    expect(await found({ accountNo: { contains: '0099' } })).toBe(undefined)
  })

  test('keeps its number once a receipt went to it', async () => {
    const id = await house.create(accounts, {
      agency: money.agency,
      accountName: '收款户',
      accountNo: '9900880000000088',
      bank: await branch(),
      accountKind: 'general',
      purpose: ['receipt'],
    })
    expect((await change(accounts, id, { accountNo: '9900880000000087' })).code).toBe(1)
    await money.receipt({ companyAccount: id })
    expect((await change(accounts, id, { accountNo: '9900880000000086' })).errors).toMatchObject([
      { field: 'accountNo', code: 'read-only' },
    ])
    expect((await change(accounts, id, { remark: '已使用' })).code).toBe(1)
  })
})

describe('a wage card', () => {
  test('each person has exactly one default card, which cannot be disabled', async () => {
    const [owner, bank] = [await person(), await branch()]
    const first = await card(owner, bank, { isDefault: false })
    expect(await detail(cards, first), 'the first is, whatever was said').toMatchObject({
      isDefault: true,
      accountName: '林晓演',
      verifyStatus: 'unverified',
      effectiveFrom: '2026-03',
    })
    const second = await card(owner, bank)
    expect([(await detail(cards, first)).isDefault, (await detail(cards, second)).isDefault]).toEqual([false, true])
    expect((await house.admin.post(`${cards}/disable`, { id: second })).message).toBe('默认工资卡不能停用')
    expect((await house.admin.post(`${cards}/disable`, { id: first })).code).toBe(1)
    // The number of a disabled card is free, but the card cannot be enabled once another uses it.
    await card(owner, bank, { accountNo: String((await detail(cards, first)).accountNo) })
    expect((await house.admin.post(`${cards}/enable`, { id: first })).message).toBe(
      '该卡号已被其他启用的工资卡使用：林晓演',
    )
  })

  test('in another name needs a reason, and verification by a user other than the one who entered it', async () => {
    const [owner, bank] = [await person(), await branch()]
    expect(
      (
        await clerk.post(`${cards}/create`, {
          values: { person: owner, accountName: '林母', accountNo: cardNumber(), bank },
        })
      ).errors,
    ).toMatchObject([{ field: 'nameDiffReason' }])
    const id = await card(owner, bank, { accountName: '林母', nameDiffReason: '本人卡丢失，暂用母亲的卡' }, clerk)
    expect((await clerk.post(`${cards}/verify`, { ids: [id] })).result).toMatchObject({
      succeeded: 0,
      failed: [{ message: '户名不一致的工资卡须由录入人以外的用户核验' }],
    })
    expect((await house.admin.post(`${cards}/verify`, { id })).code).toBe(1)
    expect(await detail(cards, id)).toMatchObject({ verifyStatus: 'verified' })
  })

  test('must be verified again after its number changes; a failed verification needs a reason', async () => {
    const [owner, bank] = [await person(), await branch()]
    const id = await card(owner, bank)
    expect((await house.admin.post(`${cards}/verify`, { id })).code).toBe(1)
    await change(cards, id, { effectiveFrom: '2026-04' })
    expect((await detail(cards, id)).verifyStatus).toBe('verified')
    await change(cards, id, { accountNo: cardNumber() })
    expect((await detail(cards, id)).verifyStatus).toBe('unverified')
    expect((await cashier.post(`${cards}/fail`, { id, values: {} })).errors).toMatchObject([{ field: 'verifyRemark' }])
    expect((await cashier.post(`${cards}/fail`, { id, values: { verifyRemark: '户名与账号不符' } })).code).toBe(1)
    const { result } = await house.admin.get('/setting/message/list', { filters: { type: { equals: 'cardFailed' } } })
    expect(result.list[0]).toMatchObject({ title: { cn: '工资卡核验失败：林晓演' } })
  })

  test('is not verified by the user who last changed it, nor changed by the cashier', async () => {
    const [owner, bank] = [await person(), await branch()]
    const id = await card(owner, bank)
    expect((await clerk.post(`${cards}/verify`, { id })).code).toBe(1)
    expect((await change(cards, id, { accountNo: cardNumber() }, cashier)).code).toBe(403)
    expect((await change(cards, id, { accountNo: cardNumber() }, clerk)).code).toBe(1)
    // A later change by another user does not hide the clerk's change.
    await change(cards, id, { effectiveFrom: '2026-05' })
    const message = '您已办理“修改”，本步骤须由其他用户办理'
    expect(await clerk.post(`${cards}/verify`, { id })).toMatchObject({ code: 409, message })
    expect((await clerk.post(`${cards}/verify`, { ids: [id] })).result).toMatchObject({ failed: [{ id, message }] })
    expect((await detail(cards, id)).verifyStatus).toBe('unverified')
    expect((await cashier.post(`${cards}/verify`, { id })).code).toBe(1)
    // Once another user has verified the card, the clerk may verify it again.
    await clerk.post(`${cards}/fail`, { id, values: { verifyRemark: '银行退回，户名不符' } })
    expect((await clerk.post(`${cards}/verify`, { id })).code).toBe(1)
  })

  test('with a number in use is refused and logged if numbers are masked, for a limited number of tries', async () => {
    const functionPermissions = ['bank:card:view', 'bank:card:edit']
    await house.create('/setting/role', { code: 'cardtyping', name: '录卡', functionPermissions, dataScope: 'all' })
    const typing = await house.user('cardtypist', ['cardtyping'])
    const [owner, bank, taken] = [await person(), await branch(), cardNumber()]
    await card(owner, bank, { accountNo: taken })
    const enter = async (accountNo: string, as: Client) =>
      (await as.post(`${cards}/create`, { values: { person: owner, bank, accountNo, isDefault: false } })).status
    const { errors } = await typing.post(`${cards}/create`, {
      values: { person: owner, bank, accountNo: taken, isDefault: false },
    })
    // Naming the owner would confirm a guessed number.
    expect(errors).toMatchObject([{ field: 'accountNo', message: '该卡号已被其他启用的工资卡使用' }])
    for (let count = 1; count < 20; count++) expect(await enter(taken, typing)).toBe(422)
    expect([await enter(taken, typing), await enter(cardNumber(), typing)]).toEqual([429, 429])
    expect([await enter(taken, house.admin), await enter(cardNumber(), house.admin)]).toEqual([422, 200])
    const { result } = await house.admin.get('/setting/operationLog/list', {
      filters: { result: { in: ['denied'] }, user: { equals: typing.id } },
      size: 100,
    })
    expect(result.list.map(({ action, message }: RecordData) => `${action} ${message}`)).toEqual(
      Array.from({ length: 20 }, () => 'viewSensitive 未保存：卡号'),
    )
  })

  test('is found by its last four digits even by users who see only the masked number', async () => {
    const [owner, bank] = [await person(), await branch()]
    const accountNo = cardNumber()
    const id = await card(owner, bank, { accountNo })
    const { result } = await auditor.get(`${cards}/list`, {
      filters: { shortNo: { contains: accountNo.slice(-4) }, person: { equals: owner } },
    })
    expect(result.list).toMatchObject([{ id, accountNo: `****${accountNo.slice(-4)}`, cardImage: null }])
    expect(
      (await auditor.get(`${cards}/list`, { filters: { accountNo: { contains: accountNo.slice(-6) } } })).code,
    ).toBe(403)
  })
})
