import { addDays, addMonths } from '../../engine/expression/index.ts'

/** The days between which a month, `yyyy-MM`, lies. */
export const firstDay = (month: string): string => `${month}-01`
export const lastDay = (month: string): string => addDays(addMonths(firstDay(month), 1)!, -1)!
