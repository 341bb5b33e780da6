import type { ListColumn } from './list.ts'

export type Density = 'compact' | 'standard' | 'loose'
export const rowHeights: Record<Density, number> = { compact: 30, standard: 38, loose: 48 }
export type Pin = 'left' | 'right' | 'none'

/** What a user keeps about the columns of a list: those known at the time, in order. */
export interface ListPreference {
  density?: Density
  columns?: ColumnChoice[]
}
export interface ColumnChoice {
  field: string
  hidden: boolean
  pin: Pin
  width?: number
}

/** Every column of the plan once, in the user's order. */
export interface ArrangedColumn extends ListColumn {
  pin: Pin
  sized: boolean
}

export const widthLimits = { minimum: 48, maximum: 800 }
export const limitWidth = (width: number) =>
  Math.round(Math.min(widthLimits.maximum, Math.max(widthLimits.minimum, width)))

/** A column that the schema has lost is forgotten; one that it gained stands behind its neighbour of the plan. */
export function arrangeColumns(columns: ListColumn[], preference: ListPreference | undefined): ArrangedColumn[] {
  const chosen = Array.isArray(preference?.columns) ? preference.columns : []
  const kept = chosen.filter((choice) => columns.some(({ field }) => field === choice?.field))
  const order = [...new Set(kept.map(({ field }) => field))]
  columns.forEach(({ field }, index) => {
    if (!order.includes(field)) order.splice(index === 0 ? 0 : order.indexOf(columns[index - 1].field) + 1, 0, field)
  })
  return order.map((field) => {
    const column = columns.find((each) => each.field === field)!
    const choice = kept.find((each) => each.field === field)
    const width =
      typeof choice?.width === 'number' && Number.isFinite(choice.width) ? limitWidth(choice.width) : undefined
    return {
      ...column,
      hidden: choice?.hidden ?? column.hidden,
      pin: choice?.pin ?? column.fixed ?? 'none',
      width: width ?? column.width,
      sized: width !== undefined,
    }
  })
}

export const choicesOf = (columns: ArrangedColumn[]): ColumnChoice[] =>
  columns.map(({ field, hidden, pin, width, sized }) => ({ field, hidden, pin, ...(sized && { width }) }))

/** One column is as wide as the user has drawn it. */
export const sizeColumn = (columns: ArrangedColumn[], field: string, width: number): ColumnChoice[] =>
  choicesOf(columns.map((column) => (column.field === field ? { ...column, width, sized: true } : column)))

/**
 * Shown columns from left to right. On a narrow screen the first one stays in place alone, and leaves room for the
 * others.
 */
export function drawnColumns(columns: ArrangedColumn[], narrow: boolean): ArrangedColumn[] {
  const shown = columns.filter(({ hidden }) => !hidden)
  const ordered = (['left', 'none', 'right'] as const).flatMap((pin) => shown.filter((column) => column.pin === pin))
  if (!narrow) return ordered
  return ordered.map((column, index) =>
    index === 0 ? { ...column, pin: 'left', width: Math.min(column.width, 140) } : { ...column, pin: 'none' },
  )
}

/** What is left of the width goes to the columns that nobody has sized and that are not pinned; else to the last. */
export function stretchWidths(columns: { width: number; pin: Pin; sized: boolean }[], available: number): number[] {
  const widths = columns.map(({ width }) => width)
  const spare = Math.floor(available) - widths.reduce((sum, width) => sum + width, 0)
  if (spare <= 0 || columns.length === 0) return widths
  const growing = columns.flatMap(({ pin, sized }, index) => (pin === 'none' && !sized ? [index] : []))
  const takers = growing.length > 0 ? growing : [columns.length - 1]
  const total = takers.reduce((sum, index) => sum + widths[index], 0)
  let left = spare
  takers.forEach((index, position) => {
    const share = position === takers.length - 1 ? left : Math.floor((spare * widths[index]) / total)
    widths[index] += share
    left -= share
  })
  return widths
}
