import { sql } from 'kysely'
import type { Context, Db } from '../../engine/server/runtime.ts'
import { updateRecordOf } from '../../engine/server/save.ts'
import type { Value } from '../../engine/schema/model.ts'

const counter = { contactPerson: '王演示', contact: '010-55550100', workingTime: '周一至周五 9:00–17:30' }
const minimumWages = [['110100', '2540.00'], ['310100', '2740.00'], ['320100', '2490.00'], ['330100', '2490.00'], ['440100', '2500.00'], ['440300', '2520.00']]

/** What an administrator has set up once: the counter, the account to pay into, the minimum wages of the cities. */
export async function writeSettings(context: Context, db: Db): Promise<void> {
  const { rows: [account] } = await sql<{ id: number }>`select id from "companyAccount" where "isDefault" order by id limit 1`.execute(db)
  const settings: Record<string, Record<string, Value>> = {
    selfPickupSetting: {
      ...counter, address: '演示路1号演示大厦2层服务台', returnAddress: '演示路1号演示大厦2层收发室', prompt: '请携带身份证和委托书',
    },
    offlineTransferSetting: { ...counter, receivingAccount: account.id, prompt: '转账附言请注明客户编号和账单号' },
    parameter: { minimumWages: minimumWages.map(([city, amount]) => ({ city, amount, effectiveFrom: '2025-07-01' })) },
  }
  for (const [name, values] of Object.entries(settings)) {
    const entity = context.derived.catalog.entities[name]
    const { rows: [record] } = await sql<{ id: number; revision: number }>`select id, revision from ${sql.table(name)}`.execute(db)
    await updateRecordOf(context, db, entity, { ...record, values })
  }
}
