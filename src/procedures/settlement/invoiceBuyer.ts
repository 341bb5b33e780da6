import type { Context } from '../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../engine/schema/model.ts'

/** What an invoice takes of its customer. */
export const billingFields = [
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
]

const together = (...parts: (Value | undefined)[]): string | null =>
  parts.filter((part) => part !== null && part !== undefined).join(' ') || null

export const buyerOf = (customer: RecordData): Record<string, Value> => ({
  title: customer.invoiceTitle ?? customer.corporateName ?? null,
  taxNumber: customer.taxNumber ?? customer.uscc ?? null,
  addressPhone: together(customer.address, customer.billingPhone),
  bankAndAccount: together(customer.depositBank, customer.bankAccount),
})

export const receiverOf = (customer: RecordData): Record<string, Value> => ({
  receiverName: customer.consigneeName ?? null,
  receiverMobile: customer.consigneeMobile ?? null,
  receiverAddress: customer.invoiceMailingAddress ?? customer.consigneeAddress ?? null,
})

/** By mail or portal what is digital, by courier or over the counter what is on paper; the first suits the customer. */
export function deliveryMethods(invoiceType: string, customer: RecordData): string[] {
  if (invoiceType.startsWith('paper')) return ['express', 'pickup']
  return customer.invoiceEmail ? ['email', 'portal'] : ['portal', 'email']
}

/** The type in which a contract, or else its customer, is invoiced. */
export const typeOf = (contract: RecordData | undefined, customer: RecordData): string =>
  String(
    [contract?.invoiceType, customer.billingType].find(
      (type) => type !== undefined && type !== null && type !== 'none',
    ) ?? 'eNormal',
  )

const longestRemark = 130

/** `2026-02、2026-03 劳务派遣`: printed on a Chinese invoice, whoever applies. */
export function remarkOf(
  context: Context,
  statements: readonly RecordData[],
  contracts: ReadonlyMap<number, RecordData>,
): string {
  const unique = (list: (string | null)[]) => [...new Set(list)].join('、')
  const types = [...contracts.values()].flatMap(({ serviceTypes }) => (serviceTypes ?? []) as string[])
  const label = (type: string) =>
    context.derived.catalog.dictionaries.serviceType.choices.find(({ value }) => value === type)?.label.cn ?? type
  return `${unique(statements.map(({ billMonth }) => billMonth as string))} ${unique(types.map(label))}`
    .trim()
    .slice(0, longestRemark)
}
