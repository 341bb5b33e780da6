import {
  type EntityName,
  type FieldName,
  procedure,
  type ProcedureWork,
  Refusal,
  type Stored,
  type Values,
} from '../../../engine/server/procedure.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { followContract } from '../welfare/handling/followContract.ts'
import { dropAdditions, openAdditions } from '../welfare/handling/staffTickets.ts'
import { refuseOpenReductions, refuseStillInsured } from '../welfare/handling/withdrawals.ts'

/**
 * After a person was added or rehired: a stint begins after all earlier ones; the entered labour contract becomes a
 * draft and the wage card a record; and the welfare families get their tickets.
 * @throws Refusal invalid.
 */
export const beginEmployment = procedure<'person'>(async (work, { records }) => {
  const former = await work.read('employmentRecord', {
    where: { person: records.map(({ id }) => id) },
    fields: ['person', 'leaveDate'],
  })
  for (const { id, entryDate } of records) {
    if (former.some(({ person, leaveDate }) => person === id && (leaveDate === null || leaveDate >= entryDate)))
      refuseOverlap(work)
  }
  await work.insert(
    'employmentRecord',
    records.map((record) => ({ ...termsOf(record), person: record.id, customer: record.customer })),
  )
  await draftContracts(
    work,
    records.filter(({ contractTermType }) => contractTermType !== null),
  )
  await addCards(
    work,
    records.filter(({ cardAccountNo }) => cardAccountNo !== null),
  )
  const entered = records.filter((record) =>
    Object.keys(nothingEntered).some((name) => record[name as keyof typeof nothingEntered] !== null),
  )
  await work.changeAll(
    'person',
    entered.map((record) => ({ record, values: nothingEntered })),
  )
  await openAdditions(work, records)
})

/** Only entered when joining; from then on the contract and the card have it. */
const nothingEntered = {
  contractTermType: null,
  contractStartDate: null,
  contractEndDate: null,
  contractProbationMonths: null,
  cardAccountNo: null,
  cardBank: null,
} as const satisfies Values<'person'>

const draftContracts = (work: ProcedureWork, people: readonly Stored<'person'>[]) =>
  asEntered(
    work,
    () =>
      work.createAll(
        'contract',
        people.map((person) => ({
          category: 'labor',
          person: person.id,
          customer: person.customer,
          agency: person.agency,
          termType: person.contractTermType,
          startDate: person.contractStartDate,
          endDate: person.contractEndDate,
          probationMonths: person.contractProbationMonths ?? 0,
          employmentForm: person.employmentForm,
          position: person.position,
          workCity: person.workCity,
          monthlyWage: person.baseSalary,
          // A usual default, which the signer of the contract checks.
          ...(person.employmentForm === 'dispatch' && { dispatchPositionKind: 'auxiliary' }),
        })),
      ),
    {
      termType: 'contractTermType',
      startDate: 'contractStartDate',
      endDate: 'contractEndDate',
      probationMonths: 'contractProbationMonths',
      monthlyWage: 'baseSalary',
    } satisfies Origins<'contract'>,
  )

const addCards = (work: ProcedureWork, people: readonly Stored<'person'>[]) =>
  asEntered(
    work,
    () =>
      work.createAll(
        'personBankCard',
        people.map((person) => ({
          person: person.id,
          accountName: person.name,
          accountNo: person.cardAccountNo,
          bank: person.cardBank,
          isDefault: true,
          effectiveFrom: person.entryDate.slice(0, 7),
        })),
      ),
    { accountNo: 'cardAccountNo', bank: 'cardBank' } satisfies Origins<'personBankCard'>,
  )

/** Field → the person's field that it came from. */
type Origins<E extends EntityName> = { [F in FieldName<E>]?: FieldName<'person'> }

/**
 * Creates them with the rights of the system, because the user who adds the person need not be allowed to add contracts
 * and cards; problems are reported at the person's field that they came from.
 */
async function asEntered(
  work: ProcedureWork,
  create: () => Promise<number[]>,
  origins: Readonly<Record<string, FieldName<'person'>>>,
): Promise<void> {
  try {
    await create()
  } catch (error) {
    if (!(error instanceof Refusal) || !error.problems) throw error
    work.refuse(
      'person',
      error.problems.map((problem) => ({ ...problem, field: origins[problem.field] ?? problem.field })),
    )
  }
}

/**
 * The current stint follows the person's record, even after later corrections; so do open months.
 * @throws Refusal invalid.
 */
export const followEmployment = procedure<'person'>(async (work, { records, before }) => {
  const stints = groupedBy(await stintsOf(work, records), ({ person }) => person)
  await work.changeAll(
    'employmentRecord',
    records.flatMap((record) => {
      const own = stints.get(record.id) ?? []
      const current = own.at(-1)
      if (!current || current.leaveDate !== null) return []
      if (own.some(({ id, leaveDate }) => id !== current.id && String(leaveDate) >= record.entryDate))
        refuseOverlap(work)
      return [{ record: current, values: { ...termsOf(record), ...formChange(current, record, monthOf(work.now)) } }]
    }),
  )
  await followContract(
    work,
    records.filter(({ serviceContract }, index) => serviceContract !== before[index]?.serviceContract),
  )
})

/**
 * Ends the stint of a person who has left, with the day and reason, and stores their earnings and withholding agent.
 * @throws Refusal notAllowed while they are still enrolled somewhere.
 */
export const closeEmployment = procedure<'person'>(async (work, { records }) => {
  await refuseOpenReductions(work, records)
  await refuseStillInsured(work, records)
  const stints = await stintsOf(work, records)
  await work.changeAll(
    'employmentRecord',
    records.flatMap((person) => {
      const { id, contract, leaveDate, leaveReason, taxSubject, agency, fullSixty, baseSalary } = person
      const record = stints.findLast((stint) => stint.person === id)
      if (record?.leaveDate !== null) return []
      const taxStartMonth = firstTaxMonth(person)
      const values = { contract, leaveDate, leaveReason, taxSubject, agency, taxStartMonth, fullSixty, baseSalary }
      return [{ record, values }]
    }),
  )
})

/** A year's first job counts from January. */
const firstTaxMonth = ({ taxStartMonth, firstJobThisYear }: Stored<'person'>): string =>
  firstJobThisYear === true ? `${taxStartMonth.slice(0, 4)}-01` : taxStartMonth

/** A person who never came has no stint, and must not be insured. */
export const dropEmployment = procedure<'person'>(async (work, { records }) => {
  const stints = await stintsOf(work, records)
  await work.delete(
    'employmentRecord',
    stints.filter(({ leaveDate }) => leaveDate === null),
  )
  await dropAdditions(work, records)
})

/** The form of employment changes from this month on; that of the months before is stored, for their fees. */
function formChange(
  { employmentForm: was, formerForm, formSince }: Stored<'employmentRecord'>,
  { employmentForm, entryDate }: Stored<'person'>,
  month: string,
): Pick<Values<'employmentRecord'>, 'formerForm' | 'formSince'> {
  if (employmentForm === was) return {}
  const before = formSince === month ? formerForm : was
  const isChange = before !== employmentForm && monthOf(entryDate) < month
  return { formerForm: isChange ? before : null, formSince: isChange ? month : null }
}

const monthOf = (date: string): string => date.slice(0, 7)

const stintsOf = (work: ProcedureWork, records: readonly Stored<'person'>[]) =>
  work.read('employmentRecord', { where: { person: records.map(({ id }) => id) }, lock: true })

const termsOf = ({ serviceContract, position, employmentForm, entryDate }: Stored<'person'>) => ({
  serviceContract,
  position,
  employmentForm,
  entryDate,
})

const refuseOverlap = (work: ProcedureWork): never =>
  work.refuse('person', [
    {
      field: 'entryDate',
      code: 'rule',
      message: {
        cn: '入职日期须晚于该人员上一段任职的离职日期',
        en: 'The hire date must be after the last working day of the former employment',
      },
    },
  ])
