import { addDays, addMonths } from '../../engine/expression/index.ts'

/** The first and last day of a month, `yyyy-MM`. */
export const firstDay = (month: string): string => `${month}-01`
export const lastDay = (month: string): string => addDays(addMonths(firstDay(month), 1)!, -1)!
