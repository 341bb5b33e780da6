import { addDays } from '../../engine/expression/index.ts'
import { createImportWorker } from '../../engine/server/imports/importWorker.ts'
import { reading, writing } from '../../engine/server/records.ts'
import type { Context } from '../../engine/server/runtime.ts'
import { createContext, findUser } from '../../engine/server/session.ts'
import type { FilterValue, RecordData } from '../../engine/schema/model.ts'
import { storeFile } from '../../engine/server/storeFile.ts'
import { workbookOf } from './workbookOf.ts'

type Cells = Record<string, string>

/**
 * Files of renewals as the contract clerk uploads them: one written with rows that failed, one that waits to be
 * confirmed.
 */
export async function renewalFiles({ runtime }: Context): Promise<void> {
  const clerk = await findUser(runtime, 'contractClerk')
  const context = createContext(runtime, clerk!, 'cn')
  const { contract } = context.derived.catalog.entities
  const worker = createImportWorker(runtime, { log: console.error })
  const found = async (filters: Record<string, FilterValue>): Promise<RecordData[]> =>
    (await reading.list(context, contract, { page: 1, size: 12, sort: '-endDate', filters })).list
  const upload = async (name: string, file: string, rows: Cells[]) => {
    const entity = context.derived.catalog.entities[`${name}Import`]
    const plan = context.derived.imports.get(entity.name)!
    const stored = {
      ...(await storeFile(context, runtime.database.kysely, file, await workbookOf(plan, rows))),
      status: 'success' as const,
    }
    const { id } = await writing.create(context, entity, { values: { file: [stored] } })
    await worker.drain()
    return async () => {
      await writing.call(context, entity, 'write', { id })
      await worker.drain()
    }
  }
  const labor = { category: { equals: 'labor' } }
  const ending = await found({ ...labor, status: { equals: 'expiring' }, renewedBy: { empty: true } })
  const [draft] = await found({ ...labor, status: { equals: 'drafted' }, renewalOf: { empty: true } })
  const [renewed] = await found({ ...labor, archived: { equals: true }, renewedBy: { empty: false } })
  const today = context.now.slice(0, 10)
  const write = await upload('laborRenewal', '四月劳动合同续签.xlsx', [
    laborRow(ending[0], { signDate: today }),
    laborRow(ending[1], { signDate: today, monthlyWage: '9200.00' }),
    laborRow(ending[2]),
    laborRow(ending[3], { startDate: String(ending[3].endDate) }),
    laborRow(ending[4], { personName: '张三丰' }),
    laborRow(draft),
    laborRow(renewed),
    laborRow(ending[0]),
  ])
  await write()
  const services = await found({
    category: { equals: 'service' },
    status: { in: ['expiring', 'expired'] },
    renewedBy: { empty: true },
  })
  await upload(
    'serviceRenewal',
    '服务合同续签.xlsx',
    services.slice(0, 3).map((one, index) => ({
      ...commonRow(one),
      endDate: addDays(String(one.endDate), 365)!,
      ...(index === 0 && { unitPrice: '128.00' }),
      ...(index === 1 && { startDate: addDays(String(one.endDate), 6)! }),
    })),
  )
}

const commonRow = (old: RecordData): Cells => ({
  renewalOf: String(old.contractNo),
  customer: String((old.customer as { name: string }).name),
  startDate: addDays(String(old.endDate), 1)!,
})

const laborRow = (old: RecordData, cells: Cells = {}): Cells => ({
  ...commonRow(old),
  personName: String(old.personName),
  personIdNumber: String(old.personIdNumber),
  termType: '固定期限',
  endDate: addDays(String(old.endDate), 1096)!,
  ...cells,
})
