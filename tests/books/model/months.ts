/** Months are `yyyy-MM`, days `yyyy-MM-dd`: as texts they sort in order of time. */
export const monthOf = (day: string): string => day.slice(0, 7)

export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}

export function monthsBetween(from: string, to: string): string[] {
  const found: string[] = []
  for (let month = from; month <= to; month = addMonths(month, 1)) found.push(month)
  return found
}

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)

/** The last day of a month. */
export const endOf = (month: string): string => addDays(`${addMonths(month, 1)}-01`, -1)
