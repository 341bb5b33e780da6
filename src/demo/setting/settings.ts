import { type EntityName, ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { updateRecordOf } from '../../../engine/server/records/save.ts'
import type { Value } from '../../../engine/model/model.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { storeFile } from '../../../engine/server/files/storeFile.ts'

const counter = { contactPerson: '王演示', contact: '010-55550100', workingTime: '周一至周五 9:00–17:30' }
const minimumWages = [
  ['110100', '2540.00'],
  ['310100', '2740.00'],
  ['320100', '2490.00'],
  ['330100', '2490.00'],
  ['440100', '2500.00'],
  ['440300', '2520.00'],
]

/** One-time settings of an administrator: the counter, the account for payments, the minimum wages of the cities. */
export async function writeSettings(context: Context, db: Db): Promise<void> {
  const work = new ProcedureWork(context, db)
  const account = (await work.first('companyAccount', { where: { isDefault: true }, fields: ['agency'] }))!
  await writeVersions(context, db)
  const settings = {
    selfPickupSetting: {
      ...counter,
      address: '演示路1号演示大厦2层服务台',
      returnAddress: '演示路1号演示大厦2层收发室',
      prompt: '请携带身份证和委托书',
    },
    offlineTransferSetting: { ...counter, receivingAccount: account.id, prompt: '转账附言请注明客户编号和账单号' },
    // What has waited since the tenth must still wait tomorrow.
    otherSettings: { autoCancelOrder: 720, autoConfirmOrder: 30 },
    parameter: { minimumWages: minimumWages.map(([city, amount]) => ({ city, amount, effectiveFrom: '2025-07-01' })) },
  } satisfies { [E in EntityName]?: Record<string, Value> }
  for (const [name, values] of Object.entries(settings)) {
    const [{ id, revision }] = await work.read(name as keyof typeof settings)
    await updateRecordOf({ context, db }, context.derived.catalog.entities[name], { id, revision, values })
  }
}

const versions = [
  ['1.0.0', 1, 'android', '首个版本', 'disabled'],
  ['1.1.0', 2, 'android', '对账单可在手机上确认', 'enabled'],
  ['1.0.1', 1, 'ios', '首个版本', 'enabled'],
  ['1.1.0', 2, 'ios', '对账单可在手机上确认', 'enabled'],
  ['1.0.0', 1, 'mini', '员工可查询工资条', 'enabled'],
] as const
const extensions = { android: 'apk', ios: 'ipa', mini: 'wgt' }

/** The packages are not programs, only valid archives. */
async function writeVersions(context: Context, db: Db): Promise<void> {
  const entity = context.derived.catalog.entities.appVersion
  for (const [versionName, versionNumber, platform, updateContent, status] of versions) {
    const file = await storeFile(
      context,
      db,
      `portal-${versionName}.${extensions[platform]}`,
      Buffer.from('PK\x03\x04 demo'),
    )
    await insertMany(context, db, entity, [
      {
        versionName,
        versionNumber,
        platform,
        updateContent,
        status,
        appFile: [{ ...file, status: 'success' }],
        forcedUpdate: false,
      },
    ])
  }
}
