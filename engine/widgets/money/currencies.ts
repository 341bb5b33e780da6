/**
 * The currencies of amounts: the sign of each, and its decimals if they are not two. A list of our own, because browsers
 * and servers disagree about signs.
 */
export const currencies = {
  CNY: { sign: '￥' },
  HKD: { sign: 'HK$' },
  MOP: { sign: 'MOP$' },
  TWD: { sign: 'NT$' },
  SGD: { sign: 'S$' },
  USD: { sign: 'US$' },
  EUR: { sign: '€' },
  GBP: { sign: '£' },
  CHF: { sign: 'CHF ' },
  JPY: { sign: 'JP¥', decimals: 0 },
  KRW: { sign: '₩', decimals: 0 },
  VND: { sign: '₫', decimals: 0 },
  THB: { sign: '฿' },
  MYR: { sign: 'RM' },
  IDR: { sign: 'Rp' },
  PHP: { sign: '₱' },
  INR: { sign: '₹' },
  AUD: { sign: 'A$' },
  NZD: { sign: 'NZ$' },
  CAD: { sign: 'C$' },
  BRL: { sign: 'R$' },
  MXN: { sign: 'MX$' },
  AED: { sign: 'AED ' },
  SEK: { sign: 'SEK ' },
  NOK: { sign: 'NOK ' },
  DKK: { sign: 'DKK ' },
  PLN: { sign: 'PLN ' },
  CZK: { sign: 'CZK ' },
  HUF: { sign: 'HUF ' },
} as const satisfies Record<string, { sign: string; decimals?: 0 }>

export type Currency = keyof typeof currencies
export const currencyCodes = Object.keys(currencies) as Currency[]

/** The currency of billing, payment and tax, and of all amounts that do not name another. */
export const homeCurrency = 'CNY' satisfies Currency

export const signOf = (currency: Currency = homeCurrency): string => currencies[currency].sign
export const decimalsOf = (currency: Currency = homeCurrency): number => {
  const known: { sign: string; decimals?: number } = currencies[currency]
  return known.decimals ?? 2
}
