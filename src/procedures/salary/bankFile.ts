import { writeXlsx } from 'hucre/xlsx'
import { decimal, money, total } from '../money/amounts.ts'

export interface Payment {
  lineNo: number
  accountName: string
  accountNo: string
  bank: string
  cnapsCode: string
  amount: string
  summary: string
}

const header = ['序号', '户名', '账号', '开户行', '联行号', '金额', '摘要']
const cells = ({ lineNo, accountName, accountNo, bank, cnapsCode, amount, summary }: Payment) => [
  String(lineNo),
  accountName,
  accountNo,
  bank,
  cnapsCode,
  amount,
  summary,
]

/** The file for a bank, in the format of the paying account: a value of the dictionary `payFormat`. */
export async function bankFile(
  format: string,
  payments: readonly Payment[],
): Promise<{ extension: string; content: Uint8Array }> {
  if (format === 'csv')
    return {
      extension: 'csv',
      content: text([header, ...payments.map(cells)].map((row) => row.map(quoted).join(',')).join('\r\n')),
    }
  if (format === 'text') return { extension: 'txt', content: text(fixedWidth(payments)) }
  return {
    extension: 'xlsx',
    content: await writeXlsx({ sheets: [{ name: '代发', rows: [header, ...payments.map(cells)] }] }),
  }
}

/** A header with count and sum, then a line for each payment; amounts in cents. */
export function fixedWidth(payments: readonly Payment[]): string {
  const sum = money(total(payments.map(({ amount }) => decimal(amount))))
  const head = `H${String(payments.length).padStart(8, '0')}${cents(sum)}`
  return [
    head,
    ...payments.map(
      (payment) =>
        `D${String(payment.lineNo).padStart(8, '0')}${payment.accountNo.padEnd(32)}${cents(payment.amount)}${padded(payment.accountName, 60)}${payment.cnapsCode.padEnd(12)}${padded(payment.summary, 40)}`,
    ),
  ].join('\r\n')
}

const cents = (amount: string): string => amount.replace('.', '').padStart(15, '0')
/** Chinese characters take two columns. What is too long is cut: the bank would read the rest as the next field. */
function padded(value: string, columns: number): string {
  let text = ''
  let left = columns
  for (const character of value) {
    const width = character.charCodeAt(0) > 255 ? 2 : 1
    if (width > left) break
    text += character
    left -= width
  }
  return text + ' '.repeat(left)
}
/** No cell may begin like a formula. */
const quoted = (value: string): string => `"${(/^[=+\-@\t]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
const text = (content: string): Uint8Array => new TextEncoder().encode(`\uFEFF${content}\r\n`)
