import type { Part, Stored } from '../../../engine/server/procedure.ts'
import { groupThousands } from '../../../engine/widgets/decimal/decimal.ts'

/** The placeholders of a contract template. */
export const contractPlaceholders = [
  'contract.contractNo',
  'contract.startDate',
  'contract.endDate',
  'contract.signDate',
  'customer.name',
  'agency.name',
  'agency.address',
  'person.name',
  'person.idNumber',
  'contract.position',
  'contract.workCity',
  'contract.monthlyWage',
  'contract.probationMonths',
] as const
type ContractTexts = Record<(typeof contractPlaceholders)[number], string | null>

interface ContractFacts {
  contract: Stored<'contract'>
  customer: Part<'customer', 'corporateName'> | undefined
  agency: Part<'agency', 'name' | 'address'> | undefined
  person: Part<'person', 'name' | 'idNumber'> | undefined
  /** A city by its code. */
  cityOf(code: string): string | null
}

/** The text for each placeholder; null if unknown. */
export const contractTexts = ({ contract, customer, agency, person, cityOf }: ContractFacts): ContractTexts => ({
  'contract.contractNo': contract.contractNo,
  'contract.startDate': dateText(contract.startDate),
  'contract.endDate': dateText(contract.endDate) ?? '无固定期限',
  // Filled in by hand on paper, if nobody has signed yet.
  'contract.signDate': dateText(contract.signDate) ?? '____年__月__日',
  'customer.name': customer?.corporateName ?? null,
  'agency.name': agency?.name ?? null,
  'agency.address': agency?.address ?? null,
  'person.name': person?.name ?? null,
  'person.idNumber': person?.idNumber ?? null,
  'contract.position': contract.position,
  'contract.workCity': contract.workCity === null ? null : cityOf(contract.workCity),
  'contract.monthlyWage': contract.monthlyWage === null ? null : groupThousands(contract.monthlyWage),
  'contract.probationMonths': contract.probationMonths === null ? null : String(contract.probationMonths),
})

const dateText = (day: string | null): string | null =>
  day === null ? null : `${Number(day.slice(0, 4))}年${Number(day.slice(5, 7))}月${Number(day.slice(8, 10))}日`
