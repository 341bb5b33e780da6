import { sql } from 'kysely'
import { createImportWorker } from '../../engine/server/imports/importWorker.ts'
import { writing } from '../../engine/server/records/records.ts'
import type { Context } from '../../engine/server/runtime.ts'
import { createContext, findUser } from '../../engine/server/identity/session.ts'
import type { ImportPlan } from '../../engine/model/model.ts'
import { mobile, uscc } from './identifiers.ts'
import { Random } from './random.ts'
import { storeFile } from '../../engine/server/files/storeFile.ts'
import { workbookOf } from './workbookOf.ts'

type Cells = Record<string, string>

const seed = 20260315

/** Files as operators upload them, processed by the import itself: one batch in each state. */
export async function importFiles(context: Context): Promise<void> {
  const { runtime } = context
  const random = new Random(seed)
  const entity = runtime.derived.catalog.entities.customerImport
  const plan = runtime.derived.imports.get(entity.name)!
  const worker = createImportWorker(runtime, { log: console.error })
  let count = 0
  const good = () => customerCells(random, ++count)
  const upload = async (
    name: string,
    rows: Cells[],
    days: number,
    { by = 'admin', remark = '', headers = headersOf(plan) }: { by?: string; remark?: string; headers?: string[] } = {},
  ) => {
    const user = await findUser(runtime, by)
    const as = createContext(runtime, user!, 'cn')
    const file = {
      ...(await storeFile(as, runtime.database.kysely, name, await workbookOf(plan, rows, headers))),
      status: 'success' as const,
    }
    const { id } = await writing.create(as, entity, { values: { file: [file], ...(remark && { remark }) } })
    await worker.drain()
    const does = async (action: 'write' | 'cancel' | 'undo') => {
      await writing.call(as, entity, action, { id })
      await worker.drain()
    }
    const happened = () => past(context, id, days)
    return { does, happened }
  }

  const first = await upload('三月新客户.xlsx', [good(), good(), good()], 6, {
    by: 'customerManager',
    remark: '客服部提交的三月新客户',
  })
  await first.does('write')
  await first.happened()
  const some = await upload(
    '华东区客户.xlsx',
    [
      good(),
      { ...good(), uscc: '91990101MADE00000X' },
      good(),
      { ...good(), region: '江苏省/未知市', billingType: '专票' },
    ],
    4,
  )
  await some.does('write')
  await some.happened()
  const undone = await upload('重复上传.xlsx', [good(), good()], 3, { by: 'customerManager' })
  await undone.does('write')
  await undone.does('undo')
  await undone.happened()
  const cancelled = await upload('试导入.xlsx', [good(), good()], 2)
  await cancelled.does('cancel')
  await cancelled.happened()
  const wrong = await upload('旧模板.xlsx', [good()], 1, {
    headers: headersOf(plan).map((header) => (header === '统一社会信用代码' ? '信用代码' : header)),
  })
  await wrong.happened()
  const waiting = [
    good(),
    { ...good(), name: '' },
    good(),
    { ...good(), consigneeMobile: '1540000' },
    good(),
    { ...good(), supportStaff: 'nobody', salesman: 'nobody' },
    good(),
    good(),
  ]
  await (await upload('四月新客户.xlsx', waiting, 0, { remark: '待核对' })).happened()
}

const headersOf = (plan: ImportPlan): string[] => plan.columns.map(({ label }) => label.cn)

function customerCells(random: Random, number: number): Cells {
  const phone = mobile(random)
  return {
    name: `新程科技${number}`,
    corporateName: `新程科技（演示）有限公司${number}`,
    type: '企业',
    uscc: uscc(random, 'enterprise'),
    region: '江苏省/苏州市/吴中区',
    address: `演示路${number + 20}号`,
    billingType: '数电普通发票',
    invoiceEmail: `fapiao${number}@xincheng.example.com`,
    consigneeName: '周演',
    consigneeMobile: phone,
    consigneeAddress: `苏州市吴中区演示路${number + 20}号2楼`,
    invoiceMailingAddress: '同上',
    supportStaff: 'support',
    salesman: 'sales',
    agency: 'J001',
    serviceTypes: '劳务派遣、社保公积金代理',
    paymentTerms: '先款后付',
    paymentDay: '12',
    statementDay: '10',
  }
}

/** Moves a batch this many days back. */
async function past({ runtime }: Context, id: number, days: number): Promise<void> {
  // No operation moves an import into the past.
  await sql`update "customerImport" set ${sql.join(
    ['startedAt', 'decidedAt', 'finishedAt', 'createdAt', 'updatedAt'].map(
      (name) => sql`${sql.ref(name)} = ${sql.ref(name)} - make_interval(days => ${days})`,
    ),
  )} where id = ${id}`.execute(runtime.database.kysely)
}
