import { addDays } from '../../../engine/expression/index.ts'
import type { Context } from '../../../engine/server/runtime.ts'
import type { FilterValue, RecordData } from '../../../engine/model/model.ts'
import { uploadsBy, type Cells } from '../uploads.ts'

/** Files of renewals as the contract clerk uploads them: one written with failed rows, one waiting for confirmation. */
export async function renewalFiles(whole: Context): Promise<void> {
  const { context, found, upload } = await uploadsBy(whole, 'contractClerk')
  const ofEmployees = (filters: Record<string, FilterValue>) =>
    found('contract', { category: { equals: 'labor' }, ...filters }, 12, '-endDate')
  const ending = await ofEmployees({ status: { equals: 'expiring' }, renewedBy: { empty: true } })
  const [draft] = await ofEmployees({ status: { equals: 'drafted' }, renewalOf: { empty: true } })
  const [renewed] = await ofEmployees({ archived: { equals: true }, renewedBy: { empty: false } })
  const today = context.now.slice(0, 10)
  await upload('laborRenewalImport', '四月劳动合同续签.xlsx', [
    laborRow(ending[0], { signDate: today }),
    laborRow(ending[1], { signDate: today, monthlyWage: '9200.00' }),
    laborRow(ending[2]),
    laborRow(ending[3], { startDate: String(ending[3]?.endDate) }),
    laborRow(ending[4], { personName: '张三丰' }),
    laborRow(draft),
    laborRow(renewed),
    laborRow(ending[0]),
  ])
  const services = await found(
    'contract',
    { category: { equals: 'service' }, status: { in: ['expiring', 'expired'] }, renewedBy: { empty: true } },
    3,
    '-endDate',
  )
  await upload(
    'serviceRenewalImport',
    '服务合同续签.xlsx',
    services.map((service, index) => ({
      ...commonRow(service),
      endDate: addDays(String(service.endDate), 365)!,
      ...(index === 0 && { unitPrice: '128.00' }),
      ...(index === 1 && { startDate: addDays(String(service.endDate), 6)! }),
    })),
    { waits: true },
  )
}

const commonRow = (old: RecordData): Cells => ({
  renewalOf: String(old.contractNo),
  customer: String((old.customer as { name: string }).name),
  startDate: addDays(String(old.endDate), 1)!,
})

const laborRow = (old: RecordData | undefined, cells: Cells = {}): Cells | undefined =>
  old && {
    ...commonRow(old),
    personName: String(old.personName),
    personIdNumber: String(old.personIdNumber),
    termType: '固定期限',
    endDate: addDays(String(old.endDate), 1096)!,
    ...cells,
  }
