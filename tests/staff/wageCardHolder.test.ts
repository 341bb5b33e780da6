/**
 * A person is added with a wage card by the system's rights: whoever adds them learns no more about other cards than by
 * adding a card themselves.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { contracts, employee, employer, resident, serviceValues, sign } from '../contract.ts'
import { importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { type Client, createTestServer, type TestServer } from '../server.ts'

const [persons, cards, joins] = ['/staff/person', '/bank/personBankCard', '/staff/personJoinImport']
const taken = '9900010000000123455'
const adding = ['staff:person:view', 'staff:person:add']
const [inUse, holder] = ['该卡号已被其他启用的工资卡使用', '秘密人']

let house: TestServer
let bank: number
beforeAll(async () => {
  house = await createTestServer()
  bank = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行北京演示支行',
    cnapsCode: '991100000001',
    kind: 'stateOwned',
    city: '110100',
    wageSupported: true,
  })
  const elsewhere = await workplace()
  const { id: person } = await employee(house, { ...elsewhere, name: holder })
  await house.create(cards, { person, bank, accountNo: taken })
})
afterAll(() => house?.close())

async function workplace(supportStaff?: number) {
  const at = await employer(house, supportStaff === undefined ? {} : { supportStaff })
  const service = await house.create(contracts, serviceValues(at.customer, at.agency))
  await sign(house, service, '2026-01-01')
  return { ...at, service }
}

async function userWith(code: string, functionPermissions: string[], dataScope: string, department?: number) {
  await house.create('/setting/role', { code, name: code, functionPermissions, dataScope })
  return house.user(`${code}user`, [code], department)
}

/** Adds a person to the user's own customer, with this card. */
async function adds(as: Client & { id: number }) {
  const { customer, agency, service } = await workplace(as.id)
  return (cardAccountNo: string | null, more: Record<string, Value> = {}) =>
    as.post(`${persons}/create`, {
      values: {
        name: '周演',
        idNumber: resident(house.next('person') * 2),
        householdType: 'otherUrban',
        mobile: '15400000002',
        customer,
        serviceContract: service,
        agency,
        supportStaff: as.id,
        position: '装配工',
        workCity: '310100',
        employmentForm: 'outsourcing',
        entryDate: '2026-03-02',
        baseSalary: '7000',
        ...(cardAccountNo !== null && { cardAccountNo, cardBank: bank }),
        ...more,
      },
    })
}

const logged = async (user: number, entity: string): Promise<number> =>
  (
    await sql<{ count: number }>`select count(*)::integer as count from system_history
      where user_id = ${user} and entity = ${entity} and action = 'viewSensitive' and changes->>'result' = 'denied'`.execute(
      house.database.kysely,
    )
  ).rows[0].count

test.each([
  { role: 'the preset role', most: 20, user: () => house.user('supporting', ['support']) },
  // The ID number is masked for them, too, so that each refused person counts twice.
  { role: 'a role without cards', most: 10, user: () => userWith('addsonly', adding, 'self') },
])('$role does not learn whose card it is; each try is logged, and their number limited', async ({ most, user }) => {
  const as = await user()
  const add = await adds(as)
  expect(await add(taken)).toMatchObject({ status: 422, errors: [{ field: 'cardAccountNo', message: inUse }] })
  expect(await logged(as.id, 'personBankCard')).toBe(1)
  const answers: number[] = []
  for (let number = 1; number < 25; number++) answers.push((await add(taken)).status)
  expect(answers).toEqual(answers.map((_, index) => (1 + index < most ? 422 : 429)))
  expect(await logged(as.id, 'personBankCard')).toBe(most)
})

test('a free number is accepted from them, and a card out of scope is not named to who sees numbers', async () => {
  const seesNumbers = ['bank:card:view', 'bank:card:viewSensitive', ...adding]
  const narrow = await userWith('narrow', seesNumbers, 'self')
  const add = await adds(narrow)
  expect((await add('9900010000000123489')).code).toBe(1)
  expect((await add(taken)).errors).toMatchObject([{ message: inUse }])
  expect(await logged(narrow.id, 'personBankCard'), 'nothing is masked for them').toBe(0)
  const wide = await userWith('wide', seesNumbers, 'all')
  expect((await (await adds(wide))(taken)).errors).toMatchObject([{ message: `${inUse}：${holder}` }])
})

test('a joiner in a file is refused with the name only for readers who may see the card', async () => {
  const department = await house.create('/setting/department', {
    name: '增员部',
    parent: await house.findId('/setting/department', '总部'),
  })
  const imports = ['staff:personImport:*', ...adding]
  const sees = [...imports, 'bank:card:view', 'bank:card:viewSensitive']
  const uploader = await userWith('uploads', sees, 'all', department)
  const colleague = await userWith('sits', sees, 'department', department)
  const blind = await userWith('blind', imports, 'all', department)
  const at = await workplace()
  const { contractNo } = (await house.admin.get(`${contracts}/detail`, { id: at.service })).result
  const send = async (as: Client): Promise<number> => {
    const row: Record<string, string> = {
      customer: at.name,
      serviceContract: String(contractNo),
      name: '何静',
      idType: '居民身份证',
      idNumber: resident(house.next('person') * 2),
      mobile: '15500000001',
      householdType: '外地城镇',
      workCity: '上海',
      insuranceCity: '上海',
      employmentForm: '外包用工',
      position: '测试工程师',
      entryDate: '2026-03-10',
      baseSalary: '12000.00',
      cardBank: '北辰示范银行北京演示支行',
      cardAccountNo: taken,
      ...Object.fromEntries(
        house.runtime.derived.catalog.families.handling.map(({ key }) => [`${String(key)}Needed`, '是']),
      ),
    }
    const id = await importFile(house, await workbook(planOf(house, 'personJoinImport'), [row]), { as, path: joins })
    await worker(house).drain()
    expect(await as.post(`${joins}/write`, { id })).toMatchObject({ code: 1 })
    await worker(house).drain()
    return id
  }
  const read = async (id: number, as: Client): Promise<string[]> => {
    const [{ errors }]: RecordData[] = await rows(house, id, as, `${joins}Row`)
    return (errors as unknown as { message: { cn: string } }[]).map(({ message }) => message.cn)
  }
  const named = await send(uploader)
  expect(await read(named, uploader)).toEqual([`工资卡号：${inUse}：${holder}`])
  expect(await read(named, house.admin)).toEqual([`工资卡号：${inUse}：${holder}`])
  for (const reader of [colleague, blind])
    expect(await read(named, reader)).toEqual(['工资卡号：数量超出上限，涉及您无权查看的数据'])
  expect(await read(await send(blind), house.admin), 'worded for who uploaded it').toEqual([`工资卡号：${inUse}`])
})
