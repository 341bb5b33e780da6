import type { FeeCategory } from './feeItems.ts'

/** What is known of a person whose costs are billed: how they are employed, and what is billed for them. */
export interface Served {
  employmentForm: string | null
  categories: ReadonlySet<FeeCategory>
  feeItems: ReadonlySet<string>
  hasJoined: boolean
  /** Whether they are charged for one of the services already. */
  isCharged?: boolean
}

/**
 * Service type → who gets it: people whom we employ for it, and of those employed by the customer, people with its
 * costs.
 */
const services: Record<string, (served: Served) => boolean> = {
  dispatch: ({ employmentForm }) => employmentForm === formOf.dispatch,
  outsourcing: ({ employmentForm }) => employmentForm === formOf.outsourcing,
  jobOutsourcing: ({ employmentForm }) => employmentForm === formOf.jobOutsourcing,
  insuranceAgency: (served) => isServed(served) && insurances.some((category) => served.categories.has(category)),
  payrollAgency: (served) => isServed(served) && served.categories.has('wage'),
  personnelAgency: isServed,
  commercialInsurance: ({ feeItems }) => feeItems.has('commercialInsurance'),
  recruitment: ({ hasJoined }) => hasJoined,
}
const insurances: readonly FeeCategory[] = ['social', 'medical', 'fund', 'supplement']

/** Service type → the form of employment that it is for. */
const formOf: Record<string, string | undefined> = {
  dispatch: 'dispatch',
  outsourcing: 'outsourcing',
  jobOutsourcing: 'outsourcing',
  insuranceAgency: 'agency',
  payrollAgency: 'agency',
  personnelAgency: 'agency',
}

/** Whether both cannot be due for one month: a person has one form of employment in it, even if it changed since. */
export function excludeEachOther(a: string | null, b: string | null): boolean {
  const [form, otherForm] = [formOf[a ?? ''], formOf[b ?? '']]
  return form !== undefined && otherForm !== undefined && form !== otherForm
}

/**
 * Whether a person is charged for only one of these services in a month, if two contracts bill them: the same one, or two
 * that go with the employment, which is under one contract at a time. Others are charged by whichever contract bills them.
 */
export function isOneOf(a: string | null, b: string | null): boolean {
  // A fee stored by an earlier version does not say its service.
  return a === null || b === null || a === b || (formOf[a] !== undefined && formOf[b] !== undefined)
}

/** Whether a service is for single months, so that late costs of it say nothing of the month that bills them. */
export const isForSingleMonths = (service: string): boolean => service === 'commercialInsurance'

function isServed({ employmentForm }: Served): boolean {
  return employmentForm === 'agency'
}

/**
 * A person's services among those of a contract. With a single service everybody gets it; a person who matches none of
 * several, and is charged for none, gets the first, so that nobody is served for free.
 */
export function servicesOf(types: readonly string[], served: Served): ReadonlySet<string> {
  if (types.length < 2) return new Set(types)
  const had = types.filter((type) => services[type]?.(served))
  return new Set(had.length > 0 || served.isCharged ? had : types.slice(0, 1))
}
