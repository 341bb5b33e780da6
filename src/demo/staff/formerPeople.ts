import { sql } from 'kysely'
import { addDays } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/identity/scope.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { readCustomers, stamps, type Employer } from '../customer/contractPast.ts'
import { person } from './persons.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260322
const chunk = 2000
/** Days ago: they had left before the first month with wages and expenses. */
const soonest = 500
const earliest = 3600

/**
 * A list of people as long as it gets over the years: so many more who were with these customers once, each with their
 * stint and its history.
 */
export async function writeFormerPeople(context: Context, db: Db, resolve: Resolve, count: number): Promise<void> {
  const { entities } = context.derived.catalog
  const [table, today, clerk] = [
    tableOf(context, entities.person),
    context.now.slice(0, 10),
    Number(resolve('user', 'contractClerk')),
  ]
  const {
    rows: [{ present }],
  } = await sql<{ present: number }>`select count(*)::int as present from ${table}`.execute(db)
  const { rows: known } = await sql<{ idNumber: string }>`select "idNumber" from ${table}`.execute(db)
  const { rows: contracts } = await sql<{
    customer: number
    contract: number
  }>`select customer, max("serviceContract") as contract from ${table} group by customer`.execute(db)
  const contractOf = new Map(contracts.map(({ customer, contract }) => [customer, contract]))
  const employers = (await readCustomers(context, db)).flatMap((customer): Employer[] => {
    const contract = contractOf.get(customer.id)
    return contract === undefined ? [] : [{ ...customer, contract, city: customer.cities[0] }]
  })
  const random = new Random(seed)
  const taken = new Set(known.map(({ idNumber }) => idNumber))
  for (let left = count - present; left > 0; left -= chunk) {
    const people = Array.from({ length: Math.min(chunk, left) }, (): RecordData => {
      const past = addDays(today, -random.integer(soonest, earliest))!
      const { values } = person(random, { today: past, employer: random.pick(employers), course: 'terminated', taken })
      return { ...values, createdBy: clerk, updatedBy: clerk, ...stamps(today, String(values.entryDate)) }
    })
    const ids = await insertMany(context, db, entities.person, people, { action: 'create' })
    await insertMany(
      context,
      db,
      entities.employmentRecord,
      people.map(
        (
          {
            customer,
            serviceContract,
            position,
            employmentForm,
            entryDate,
            leaveDate,
            leaveReason,
            createdAt,
            updatedAt,
          },
          index,
        ): RecordData => ({
          customer,
          serviceContract,
          position,
          employmentForm,
          entryDate,
          leaveDate,
          leaveReason,
          createdAt,
          updatedAt,
          person: ids[index],
          contract: null,
        }),
      ),
    )
  }
}
