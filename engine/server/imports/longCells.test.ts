import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { check, customerRow, customerRows, planOf, rows } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { type Catalog, cellField, type ImportColumn, type ImportProblem, type RecordData } from '../../model/model.ts'
import { createContext } from '../identity/session.ts'
import { systemUser } from '../identity/access.ts'
import { draftRows } from './importDraft.ts'

/** Refers to several records, as no column of the product does. */
const severalUsers = 'contributors'
function withSeveral(catalog: Catalog): Catalog {
  const { fields } = catalog.entities.customerImportRow
  const name = cellField(severalUsers)
  fields[name] = { ...fields.cellRemark, name }
  return catalog
}

let house: TestServer
beforeAll(async () => {
  house = await createTestServer({ change: withSeveral })
  await customerValues(house)
})
afterAll(() => house?.close())

const problemsOf = (row: RecordData) => row.errors as unknown as ImportProblem[]

describe('a long cell', () => {
  it('that no field could take is stored cut, with one short problem that names its column', async () => {
    const id = await check(house, [
      customerRow(1, { serviceTypes: 'x、'.repeat(50_000), remark: 'y'.repeat(90_000), uscc: '9'.repeat(5_000) }),
    ])
    const [row] = await rows(house, id)
    expect(problemsOf(row).map(({ column, code, message }) => [column, code, message.cn])).toEqual([
      ['uscc', 'maxLength', '统一社会信用代码：长度不能超过4000个字符'],
      ['serviceTypes', 'maxLength', '服务类型：长度不能超过4000个字符'],
      ['remark', 'maxLength', '备注：长度不能超过500个字符'],
    ])
    expect(JSON.stringify(row).length).toBeLessThan(20_000)
    const fix = (values: object) => house.admin.post(`${customerRows}/fix`, { id: row.id, values })
    expect(await fix({ cellRemark: '短' }), 'cut cells are not taken for whole ones').toMatchObject({
      code: 422,
      errors: [
        { field: 'cellUscc', code: 'maxLength' },
        { field: 'cellServiceTypes', code: 'maxLength' },
      ],
    })
    const { uscc, serviceTypes } = customerRow(1)
    expect(await fix({ cellRemark: '短', cellUscc: uscc, cellServiceTypes: serviceTypes })).toMatchObject({ code: 1 })
  })

  it('is quoted by its beginning', async () => {
    const long = 'z、'.repeat(1_900)
    const id = await check(house, [customerRow(2, { serviceTypes: long, region: long, billingType: long })])
    const [row] = await rows(house, id)
    expect(problemsOf(row).map(({ column, code }) => [column, code])).toEqual([
      ['region', 'reference'],
      ['billingType', 'choice'],
      ['serviceTypes', 'choice'],
    ])
    expect(JSON.stringify(row.errors).length).toBeLessThan(2_000)
  })

  it('has few problems, however many unknown names it lists', async () => {
    const { fields } = house.runtime.derived.catalog.entities.customer
    const column: ImportColumn = {
      field: severalUsers,
      label: fields[severalUsers].label,
      required: false,
      compared: false,
    }
    const batch = { plan: { ...planOf(house), columns: [column] }, id: 0, updateExisting: false, given: {}, fields: [] }
    const draftOf = async (cell: string) => {
      const context = createContext(house.runtime, systemUser)
      const row = { number: 2, cells: { [severalUsers]: cell } }
      const [draft] = await draftRows(context, house.runtime.database.kysely, batch, [row])
      return draft
    }
    const names = Array.from({ length: 200 }, (_, index) => `nobody${index}`)
    const { problems, values } = await draftOf([...names, 'admin', ...names].join('、'))
    expect(problems.map(({ message }) => message.en)).toEqual(
      names.slice(0, 10).map((name) => expect.stringContaining(`"${name}"`)),
    )
    expect(values).toEqual({})
    expect((await draftOf('admin、admin')).values).toEqual({
      [severalUsers]: [await house.findId('/setting/user', 'admin')],
    })
  })
})
