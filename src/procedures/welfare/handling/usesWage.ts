import type { Item } from '../contribution.ts'

const formulas = ['eligible', 'floor', 'cap', 'company', 'personal', 'bandBy'] as const

/** Whether a person's contribution depends on their wages of the previous year, or of the month. */
export const usesWage = (
  items: readonly Pick<Item, (typeof formulas)[number]>[],
  wage: 'averageWage' | 'monthWage',
): boolean => items.some((item) => formulas.some((name) => new RegExp(`\\b${wage}\\b`).test(item[name] ?? '')))
