import { addDays } from '../../../engine/expression/index.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { readCustomers, stamps, type Employer } from '../customer/contractPast.ts'
import { person } from './persons.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260322
const chunk = 2000
/** In days ago: they had left before the first month with wages and expenses. */
const soonest = 500
const earliest = 3600

/**
 * As many people as accumulate over the years: further former employees of these customers, each with their stint and
 * its history.
 */
export async function writeFormerPeople(context: Context, db: Db, resolve: Resolve, count: number): Promise<void> {
  const { entities } = context.derived.catalog
  const [today, clerk] = [context.now.slice(0, 10), Number(resolve('user', 'contractClerk'))]
  const known = await new ProcedureWork(context, db).read('person', {
    fields: ['idNumber', 'customer', 'serviceContract'],
    order: 'serviceContract',
  })
  const contractOf = new Map<number, number>(
    known.flatMap(({ customer, serviceContract }) => (serviceContract === null ? [] : [[customer, serviceContract]])),
  )
  const employers = (await readCustomers(context, db)).flatMap((customer): Employer[] => {
    const contract = contractOf.get(customer.id)
    return contract === undefined ? [] : [{ ...customer, contract, city: customer.cities[0] }]
  })
  const random = new Random(seed)
  const taken = new Set<string>(known.map(({ idNumber }) => idNumber))
  for (let left = count - known.length; left > 0; left -= chunk) {
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
