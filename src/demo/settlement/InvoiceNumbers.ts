/** The numbers of the demo's applications and invoices, counted on from one to the next. */
export class InvoiceNumbers {
  readonly #today: string
  readonly #days = new Map<string, number>()
  #digital = 0
  #paper = 20_000
  constructor(today: string) {
    this.#today = today
  }

  /** The number of an application of an earlier day; the series itself assigns today's. */
  application(moment: string): string | null {
    const day = moment.slice(0, 10)
    if (day >= this.#today) return null
    const count = (this.#days.get(day) ?? 0) + 1
    this.#days.set(day, count)
    return `KP${day.replaceAll('-', '')}${String(count).padStart(4, '0')}`
  }

  next(invoiceType: string, month: string): { invoiceCode: string | null; invoiceNo: string } {
    return invoiceType.startsWith('paper')
      ? { invoiceCode: `099${month.slice(2, 4)}0000001`, invoiceNo: String(++this.#paper).padStart(8, '0') }
      : { invoiceCode: null, invoiceNo: `99${month.replace('-', '')}${String(++this.#digital).padStart(12, '0')}` }
  }
}
