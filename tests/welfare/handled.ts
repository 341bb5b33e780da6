import { expect } from 'vitest'
import type { ImportProblem, RecordData, Value } from '../../engine/model/model.ts'
import { contracts, employee, employer, serviceValues, sign } from '../contract.ts'
import { givenFor, importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { createFurnishedServer, type Furniture, type TestServer } from '../server.ts'
import { policyInForce } from '../welfare.ts'

/** A customer with a service contract, and policies of Beijing and Shenzhen in force. */
export async function furnishHandling(house: TestServer) {
  const own = await employer(house)
  const service = await house.create(contracts, serviceValues(own.customer, own.agency))
  await sign(house, service)
  const policies = {
    social: await policyInForce(house, {
      handleRule: '<p>25日前提交</p>',
      requiredDocs: '身份证复印件',
      kind: 'social',
      city: '110100',
      agency: own.agency,
      limits: { baseFloor: '6821', baseCeiling: '35283' },
    }),
    fund: await policyInForce(house, {
      kind: 'fund',
      city: '110100',
      agency: own.agency,
      limits: { baseFloor: '2420', baseCeiling: '35283' },
    }),
  }
  const tier = (tierCode: string, companyRate: string, personalRate: string): RecordData => ({
    tierCode,
    tierName: tierCode,
    companyRate,
    personalRate,
    isDefault: tierCode === 't1',
  })
  await policyInForce(house, {
    kind: 'social',
    city: '440300',
    agency: own.agency,
    limits: { baseFloor: '6475', baseCeiling: '32375' },
    items: { medical: { rateMode: 'tier', tiers: [tier('t1', '5', '2'), tier('t2', '1.5', '0.5')] as Value } },
  })
  return { around: { ...own, service }, policies }
}
export type HandlingFurniture = Awaited<ReturnType<typeof furnishHandling>>

/** A server with these, and helpers to employ people and handle tickets. */
export const handlingHouse = (options?: Parameters<typeof createFurnishedServer>[1]) =>
  furnishedHandling({ name: 'handling', furnish: furnishHandling }, options)

/** The same with more furniture. */
// oxlint-disable-next-line max-lines-per-function -- helpers around one server
export async function furnishedHandling<T extends HandlingFurniture>(
  furniture: Furniture<T>,
  options?: Parameters<typeof createFurnishedServer>[1],
) {
  const { house, made } = await createFurnishedServer(furniture, options)
  const { around } = made

  const person = async (values: Record<string, Value> = {}): Promise<{ id: number; idNumber: string }> => {
    const made = await employee(house, { customer: around.customer, agency: around.agency, service: around.service })
    const { revision } = (await house.admin.get('/staff/person/detail', { id: made.id })).result
    const answer = await house.admin.post('/staff/person/update', {
      id: made.id,
      revision,
      values: { insuranceCity: '110100', baseSalary: '5000', ...values },
    })
    if (answer.code !== 1) throw new Error(JSON.stringify(answer))
    return made
  }
  const detail = async (entity: string, id: number): Promise<RecordData> =>
    (await house.admin.get(`/welfare/${entity}/detail`, { id })).result
  const call = (entity: string, name: string, id: number, values: Record<string, Value> = {}) =>
    house.admin.post(`/welfare/${entity}/${name}`, { id, values })
  const create = (entity: string, values: Record<string, Value>) =>
    house.admin.post(`/welfare/${entity}/create`, { values })
  const add = (family: string, values: Record<string, Value>) =>
    create(`${family}Addition`, {
      city: '110100',
      startMonth: '2026-03',
      declaredBase: '5000',
      additionType: family === 'accumulationfund' ? 'open' : 'new',
      ...(family === 'socialsecurity' && { workForm: 'contract' }),
      ...values,
    })
  let accounts = 900_088_880_000
  return {
    house,
    ...made,
    person,
    detail,
    call,
    create,
    add,
    async enrolled(
      family: string,
      values: Record<string, Value> = {},
      overrides: Record<string, Value> = {},
    ): Promise<{ person: { id: number; idNumber: string }; addition: number; enrolment: number }> {
      const who = await person(overrides)
      const { result } = await add(family, { person: who.id, ...values })
      expect(
        await call(`${family}Addition`, 'succeed', result.id, {
          handleMonth: '2026-03',
          ...(family === 'accumulationfund' && { personalAccountNo: String(++accounts) }),
        }),
      ).toMatchObject({ code: 1 })
      return {
        person: who,
        addition: result.id,
        enrolment: ((await detail(`${family}Addition`, result.id)).enrolment as unknown as { id: number }).id,
      }
    },
    suggested: async (
      entity: string,
      values: Record<string, Value>,
      typed = Object.keys(values),
    ): Promise<RecordData> =>
      (await house.admin.post(`/welfare/${entity}/suggest`, { values, typed, parameters: {} })).result.values,
    ticketsOf: async (entity: string, id: number): Promise<RecordData[]> =>
      (await house.admin.get(`/welfare/${entity}/list`, { filters: { person: { equals: id } } })).result.list,
    async checked(
      batches: string,
      cells: Record<string, string>[],
      given: Record<string, Value> = {},
      as = house.admin,
    ): Promise<{ id: number; rows: RecordData[] }> {
      const id = await importFile(house, await workbook(planOf(house, batches), cells), {
        as,
        path: `/welfare/${batches}`,
        name: '文件.xlsx',
        ...(await givenFor(house, batches, cells)),
        ...given,
      })
      await worker(house).drain()
      return { id, rows: await rows(house, id, as, `/welfare/${batches}Row`) }
    },
    async written(batches: string, id: number, as = house.admin): Promise<RecordData[]> {
      expect(await as.post(`/welfare/${batches}/write`, { id })).toMatchObject({ code: 1 })
      await worker(house).drain()
      return rows(house, id, as, `/welfare/${batches}Row`)
    },
  }
}
export type HandlingHouse = Awaited<ReturnType<typeof handlingHouse>>

/** The messages of an import row, each with its code. */
export const messagesOf = ({ errors }: RecordData): string[] =>
  ((errors ?? []) as unknown as ImportProblem[]).map(({ code, message }) => `${code} ${message.cn}`)
