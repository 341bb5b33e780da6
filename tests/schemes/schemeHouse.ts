import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readSchemas } from '../../engine/server/catalog/sources.ts'
import type { Catalog, RecordData, Value } from '../../engine/model/model.ts'
import { contracts, employee, employer, serviceValues, sign } from '../contract.ts'
import { givenFor, importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { compiledOnce } from '../compiledOnce.ts'
import { createTestServer, type Answer } from '../server.ts'

interface FamilyFile {
  template: string
  parameters: Record<string, unknown>
}

/** The made-up families of this folder, as product files. */
export const schemeFiles = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.family.json'))
  .map((name) => ({
    path: `schemas/welfare/${name}`,
    text: readFileSync(join(import.meta.dirname, name), 'utf8'),
  }))

export const parametersOf = (family: string) =>
  (JSON.parse(schemeFiles.find(({ path }) => path.endsWith(`/${family}.family.json`))!.text) as FamilyFile).parameters

/** The product's catalog with these families. */
export const schemeCatalog = (): Catalog =>
  structuredClone(compiledOnce('schemes', () => [...readSchemas('schemas'), ...schemeFiles]))

const city = '110100'

/** A server with made-up families and their policies, and a customer for their people. */
// oxlint-disable-next-line max-lines-per-function -- helpers around one server
export async function schemeHouse(catalogOf: () => Catalog = schemeCatalog) {
  const house = await createTestServer({ change: catalogOf })
  const { customer, agency } = await employer(house)
  const service = await house.create(contracts, serviceValues(customer, agency))
  await sign(house, service)

  /** Creates and enables a policy: the form's initial values, overridden by these. */
  const policy = async (kind: string, values: Record<string, Value>): Promise<number> => {
    const { catalog } = house.runtime.derived
    const { fields } = catalog.entities.policy
    const families = catalog.families.handling
      .filter(({ policyKind }) => policyKind === kind)
      .map(({ key }) => String(key))
    const id = await house.create('/welfare/policy', {
      kind,
      name: `${kind}政策`,
      effectiveFrom: '2025-01',
      ...Object.fromEntries(
        families.flatMap((key): [string, Value][] => [
          [`${key}Items`, catalog.entities.policy.fields[`${key}Items`].default as Value],
          [
            `${key}Accounts`,
            [{ name: `${key}大户`, accountNo: `99${key}`, ownerType: 'provider', agency, status: 'enabled' }] as Value,
          ],
        ]),
      ),
      // An exchange rate of 100 by default.
      ...Object.fromEntries(
        families.filter((key) => `${key}ExchangeRate` in fields).map((key) => [`${key}ExchangeRate`, '100.0000']),
      ),
      ...values,
    })
    expect(await house.admin.post('/welfare/policy/enable', { id })).toMatchObject({ code: 1 })
    return id
  }
  const detail = async (entity: string, id: number): Promise<RecordData> =>
    (await house.admin.get(`/welfare/${entity}/detail`, { id })).result
  const ticketsOf = async (entity: string, person: number): Promise<RecordData[]> =>
    (await house.admin.get(`/welfare/${entity}/list`, { filters: { person: { equals: person } }, sort: 'id' })).result
      .list

  return {
    house,
    customer,
    agency,
    service,
    city,
    policy,
    detail,
    ticketsOf,
    /** Creates a new member; `values` are the fields about families on their record. */
    joins: (values: Record<string, Value> = {}, name?: string) =>
      employee(house, {
        customer,
        agency,
        service,
        ...(name && { name }),
        values: { insuranceCity: city, entryDate: '2025-04-01', ...values },
      }),
    call: (entity: string, action: string, id: number, values: Record<string, Value> = {}): Promise<Answer> =>
      house.admin.post(`/welfare/${entity}/${action}`, { id, values }),
    leave: (person: number, values: Record<string, Value>): Promise<Answer> =>
      house.admin.post('/staff/person/leave', { id: person, values }),
    async change(path: string, id: number, values: Record<string, Value>): Promise<Answer> {
      const { revision } = (await house.admin.get(`${path}/detail`, { id })).result
      return house.admin.post(`${path}/update`, { id, revision, values })
    },
    lines: async (family: string, person: number): Promise<RecordData[]> =>
      (
        await house.admin.get(`/welfare/${family}ExpenseLine/list`, {
          filters: { person: { equals: person } },
          sort: 'id',
          size: 100,
        })
      ).result.list,
    generate: (family: string, feeMonth: string): Promise<Answer> =>
      house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth } }),
    messages: async (type: string): Promise<RecordData[]> =>
      (
        await house.database.pool.query<RecordData>(
          'select title, content, link from message where type = $1 order by id',
          [type],
        )
      ).rows,
    /** Uploads rows, then has them checked and written. */
    async imported(
      batches: string,
      cells: Record<string, string>[],
    ): Promise<{ checked: RecordData[]; written: RecordData[] }> {
      const path = `/${house.runtime.derived.catalog.entities[batches].area}/${batches}`
      const id = await importFile(house, await workbook(planOf(house, batches), cells), {
        path,
        name: '文件.xlsx',
        ...(await givenFor(house, batches, cells)),
      })
      const read = () => rows(house, id, house.admin, `${path}Row`)
      await worker(house).drain()
      const checked = await read()
      const answer = await house.admin.post(`${path}/write`, { id })
      await worker(house).drain()
      return { checked, written: answer.code === 1 ? await read() : [] }
    },
  }
}
export type SchemeHouse = Awaited<ReturnType<typeof schemeHouse>>
