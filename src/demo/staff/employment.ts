import { addDays, addMonths } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { earlier, stamps } from '../customer/contractPast.ts'
import type { ContractSurroundings } from '../customer/contractPast.ts'
import { personalCard } from '../identifiers.ts'
import type { DemoPerson } from './persons.ts'

type Employee = DemoPerson & { id: number }

/** How many of those at work were with another customer before. */
const rehired = 3

/** The stints of these people, some of them with an earlier customer, and the cards for their wages. */
export async function writeEmployment(
  context: Context,
  db: Db,
  people: readonly Employee[],
  around: ContractSurroundings,
): Promise<void> {
  const { entities } = context.derived.catalog
  const contracts = await new ProcedureWork(context, db).read('contract', {
    where: { category: 'labor', stage: 'terminated' },
    fields: ['person'],
  })
  const ended = new Map<number | null, number>(contracts.map(({ person, id }) => [person, id]))
  await insertMany(context, db, entities.employmentRecord, [
    ...formerStints(people),
    ...people
      .filter(({ values }) => values.employmentStatus !== 'cancelled')
      .map(({ id, values }): RecordData => {
        const left = values.employmentStatus === 'left'
        return {
          ...stintOf(values),
          person: id,
          contract: ended.get(id) ?? null,
          leaveDate: left ? values.leaveDate : null,
          leaveReason: left ? values.leaveReason : null,
          ...stamps(around.today, String(values.entryDate)),
        }
      }),
  ])
  await writeCards(context, db, people, around)
}

const stintOf = ({ customer, serviceContract, position, employmentForm, entryDate }: RecordData): RecordData => ({
  customer,
  serviceContract,
  position,
  employmentForm,
  entryDate,
})

function formerStints(people: readonly Employee[]): RecordData[] {
  const customers = [...new Map(people.map(({ values }) => [values.customer, values])).values()]
  return people
    .filter(({ course, values }) => course === 'active' && String(values.birthDate) < '1995')
    .slice(0, rehired)
    .flatMap(({ id, values }) => {
      const other = customers.find(({ customer }) => customer !== values.customer)
      if (!other) return []
      const leaveDate = addDays(String(values.entryDate), -40)!
      return [
        {
          ...stintOf(values),
          person: id,
          customer: other.customer,
          serviceContract: other.serviceContract,
          entryDate: addMonths(leaveDate, -14)!,
          leaveDate,
          leaveReason: 'mutual',
        },
      ]
    })
}

async function writeCards(
  context: Context,
  db: Db,
  people: readonly Employee[],
  { random, today, clerk }: ContractSurroundings,
): Promise<void> {
  const { entities } = context.derived.catalog
  const banks = await new ProcedureWork(context, db).read('bank', {
    where: { wageSupported: true, status: 'enabled' },
    fields: ['bankName'],
  })
  const cards = people
    .filter(({ values }) => values.employmentStatus !== 'cancelled' && random.chance(0.97))
    .flatMap(({ id, values }): RecordData[] => {
      const entry = String(values.entryDate)
      const verifyStatus =
        values.employmentStatus === 'pending'
          ? 'unverified'
          : random.weighted([
              ['verified', 960],
              ['unverified', 25],
              ['failed', 15],
            ] as const)
      const card = (rest: RecordData): RecordData => ({
        person: id,
        accountName: values.name,
        accountNo: personalCard(random),
        bank: random.pick(banks).id,
        effectiveFrom: earlier(entry, today).slice(0, 7),
        status: 'enabled',
        createdBy: clerk,
        updatedBy: clerk,
        ...stamps(today, entry),
        ...rest,
      })
      const former = random.chance(0.04)
        ? [card({ isDefault: false, status: 'disabled', verifyStatus: 'verified' })]
        : []
      const isOther = verifyStatus === 'verified' && random.chance(0.01)
      return [
        ...former,
        card({
          isDefault: true,
          verifyStatus,
          ...(isOther && {
            accountName: `${String(values.name).slice(0, 1)}淑芬`,
            nameDiffReason: '本人银行卡办理中，暂用家属账户',
          }),
          verifyRemark:
            verifyStatus === 'failed' ? random.pick(['户名与账号不符', '账户已销户', '账户状态异常']) : null,
        }),
      ]
    })
  await insertMany(context, db, entities.personBankCard, cards, { action: 'create' })
}
