import { addDays, addMonths } from '../../../engine/expression/index.ts'
import type { Context } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { idNumber, mobile, personalCard } from '../identifiers.ts'
import { personName } from '../pools.ts'
import { Random } from '../random.ts'
import { type Cells, uploadsBy } from '../uploads.ts'

const seed = 20260321

/** A month's uploads of joiners and leavers: each once written with failed rows, and once waiting for confirmation. */
// oxlint-disable-next-line max-lines-per-function -- it is a table of rows to upload, below the two functions that fill one
export async function personFiles(whole: Context): Promise<void> {
  const random = new Random(seed)
  const { context, found, upload } = await uploadsBy(whole, 'admin')
  const today = context.now.slice(0, 10)
  const month = `${Number(today.slice(5, 7))}月`
  const contracts = await found('contract', { category: { equals: 'service' }, status: { equals: 'active' } }, 6)
  const bank = (await found('bank', { wageSupported: { equals: true }, status: { equals: 'enabled' } }, 1)).at(0)
  const active = await found('person', { employmentStatus: { equals: 'active' }, idType: { equals: 'idcard' } }, 12)
  const [left] = await found(
    'person',
    {
      employmentStatus: { equals: 'left' },
      idType: { equals: 'idcard' },
      leaveDate: { between: [null, addDays(today, -5)!] },
    },
    1,
  )
  const joiner = (index: number, cells: Cells = {}): Cells | undefined => {
    const contract = contracts.at(index % Math.max(1, contracts.length))
    if (!contract) return undefined
    const birthDate = addDays(addMonths(today, -12 * random.integer(22, 40))!, -random.integer(1, 300))!
    return {
      customer: codeOf(contract.customer),
      serviceContract: String(contract.contractNo),
      name: personName(random),
      idType: '居民身份证',
      idNumber: idNumber(random, birthDate, random.chance(0.5) ? 'male' : 'female'),
      mobile: mobile(random),
      householdType: '外地城镇',
      workCity: '北京',
      insuranceCity: '北京',
      employmentForm: '外包用工',
      position: '装配工',
      entryDate: addDays(today, -random.integer(0, 3))!,
      contractTermType: '固定期限',
      contractStartDate: today,
      contractEndDate: addDays(addMonths(today, 36)!, -1)!,
      contractProbationMonths: '3',
      baseSalary: '6800.00',
      ...(bank && { cardBank: String(bank.branchName), cardAccountNo: personalCard(random) }),
      ...Object.fromEntries(context.derived.catalog.families.handling.map(({ key }) => [`${String(key)}Needed`, '是'])),
      ...cells,
    }
  }
  await upload('personJoinImport', `${month}增员名单.xlsx`, [
    joiner(0),
    joiner(1),
    joiner(2, {
      baseSalary: '2300.00',
      contractTermType: '',
      contractStartDate: '',
      contractEndDate: '',
      contractProbationMonths: '',
    }),
    active[0] && joiner(3, { idNumber: String(active[0].idNumber), name: String(active[0].name) }),
    left && joiner(0, { idNumber: String(left.idNumber), name: String(left.name) }),
    joiner(1, { entryDate: addDays(today, 120)! }),
    joiner(2, { idNumber: '990101199003074511' }),
    joiner(0, { customer: '不存在的客户' }),
    joiner(0, { employmentForm: '临时工', baseSalary: '' }),
  ])
  await upload('personJoinImport', `${month}增员补充.xlsx`, [joiner(2), joiner(3), joiner(0, { mobile: '1540000' })], {
    waits: true,
  })

  const leaver = (person: RecordData | undefined, cells: Cells = {}): Cells | undefined =>
    person && {
      customer: codeOf(person.customer),
      name: String(person.name),
      idNumber: String(person.idNumber),
      leaveDate: addDays(today, random.integer(3, 20))!,
      leaveReason: '员工辞职',
      ...cells,
    }
  await upload('personLeaveImport', `${month}减员名单.xlsx`, [
    leaver(active[6]),
    leaver(active[7]),
    leaver(left),
    leaver(active[8], { leaveDate: '2000-01-01' }),
    leaver(active[9], { name: '张三丰' }),
    leaver(active[10], { idNumber: '990101199003074518' }),
    leaver(active[11], { leaveReason: '' }),
  ])
  await upload(
    'personLeaveImport',
    `${month}减员补充.xlsx`,
    [leaver(active[9]), leaver(active[10], { leaveReason: '退休了' })],
    { waits: true },
  )
}

const codeOf = (customer: unknown): string => String((customer as { code: string }).code)
