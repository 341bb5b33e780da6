import type { Dictionary } from '../../../engine/model/model.ts'
import type { FieldName, Part, Stored } from '../../../engine/server/procedure.ts'

/** The customer fields that an invoice takes over. */
export const billingDetailFields = [
  'billingType',
  'invoiceTitle',
  'corporateName',
  'taxNumber',
  'uscc',
  'address',
  'billingPhone',
  'depositBank',
  'bankAccount',
  'invoiceEmail',
  'consigneeName',
  'consigneeMobile',
  'consigneeAddress',
  'invoiceMailingAddress',
] as const satisfies readonly FieldName<'customer'>[]
export type BillingDetails = Pick<Stored<'customer'>, (typeof billingDetailFields)[number]>

const together = (...parts: (string | null)[]): string | null => parts.filter((part) => part !== null).join(' ') || null

export const buyerOf = (customer: BillingDetails) => ({
  title: customer.invoiceTitle ?? customer.corporateName,
  taxNumber: customer.taxNumber ?? customer.uscc,
  addressPhone: together(customer.address, customer.billingPhone),
  bankAndAccount: together(customer.depositBank, customer.bankAccount),
})

export const receiverOf = (customer: BillingDetails) => ({
  receiverName: customer.consigneeName,
  receiverMobile: customer.consigneeMobile,
  receiverAddress: customer.invoiceMailingAddress ?? customer.consigneeAddress,
})

/** Mail or portal for digital invoices, courier or collection for paper ones; the first suits the customer. */
export function deliveryMethods(
  invoiceType: string,
  customer: Pick<BillingDetails, 'invoiceEmail'>,
): Stored<'invoice'>['deliverMethod'][] {
  if (invoiceType.startsWith('paper')) return ['express', 'pickup']
  return customer.invoiceEmail ? ['email', 'portal'] : ['portal', 'email']
}

/** The type of invoice of a contract, or else of its customer. */
export function typeOf(
  contract: Pick<Stored<'contract'>, 'invoiceType'> | undefined,
  { billingType }: Pick<BillingDetails, 'billingType'>,
): Stored<'invoice'>['invoiceType'] {
  return [contract?.invoiceType, billingType].find((type) => type && type !== 'none') ?? 'eNormal'
}

const longestRemark = 130

/** `2026-02、2026-03 劳务派遣`: printed on a Chinese invoice, whatever the applicant's language. */
export function remarkOf(
  serviceType: Dictionary,
  statements: readonly Pick<Stored<'statement'>, 'billMonth'>[],
  contracts: ReadonlyMap<number, Part<'contract', 'serviceTypes'>>,
): string {
  const unique = (list: readonly string[]) => [...new Set(list)].join('、')
  const types = [...contracts.values()].flatMap(({ serviceTypes }) => serviceTypes ?? [])
  const label = (type: string) => serviceType.choices.find(({ value }) => value === type)?.label.cn ?? type
  return `${unique(statements.map(({ billMonth }) => billMonth))} ${unique(types.map(label))}`
    .trim()
    .slice(0, longestRemark)
}
