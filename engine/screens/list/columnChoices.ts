import type { ListColumn } from './list.ts'

export type Density = 'compact' | 'standard' | 'loose'
export const rowHeights: Record<Density, number> = { compact: 30, standard: 38, loose: 48 }
export type Pin = 'left' | 'right' | 'none'

/** A user's stored settings for the columns of a list: those known at the time, in order. */
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

/** A column removed from the schema is dropped; a new one follows its neighbour in the plan. */
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

/** Sets the width of one column. */
export const sizeColumn = (columns: ArrangedColumn[], field: string, width: number): ColumnChoice[] =>
  choicesOf(columns.map((column) => (column.field === field ? { ...column, width, sized: true } : column)))

/** A drawer that fits the whole table, but wide enough that filters are not stacked. */
export const drawerWidth = (columns: readonly { width: number }[], tickable: boolean): number =>
  Math.max(720, columns.reduce((sum, { width }) => sum + width, tickable ? 42 : 0) + 100)

/** Moves a column to the place of another; next to a pinned column it becomes pinned too. */
export function moveColumn(columns: ArrangedColumn[], field: string, to: string): ColumnChoice[] | undefined {
  const from = columns.findIndex((column) => column.field === field)
  const target = columns.findIndex((column) => column.field === to)
  if (from < 0 || target < 0 || from === target) return undefined
  const moved = { ...columns[from], pin: columns[target].pin }
  const others = columns.filter((_, index) => index !== from)
  others.splice(target, 0, moved)
  return choicesOf(others)
}

/** Visible columns from left to right. On a narrow screen only the first stays pinned, to leave room for the others. */
export function drawnColumns(columns: ArrangedColumn[], narrow: boolean): ArrangedColumn[] {
  const shown = columns.filter(({ hidden }) => !hidden)
  const ordered = (['left', 'none', 'right'] as const).flatMap((pin) => shown.filter((column) => column.pin === pin))
  if (!narrow) return ordered
  return ordered.map((column, index) =>
    index === 0 ? { ...column, pin: 'left', width: Math.min(column.width, 210) } : { ...column, pin: 'none' },
  )
}

interface Sized {
  width: number
  pin: Pin
  sized: boolean
}

/**
 * Distributes the remaining width among unpinned columns without a user-set width, else to the last. If not all columns
 * fit, the initially visible ones are stretched to end at the edge.
 */
export function stretchWidths(columns: Sized[], available: number): number[] {
  const widths = columns.map(({ width }) => width)
  if (columns.length === 0) return widths
  const whole = Math.floor(available) - widths.reduce((sum, width) => sum + width, 0)
  const seen = whole < 0 ? seenWhole(columns, Math.floor(available)) : undefined
  const spare = seen ? seen.left : whole
  if (spare <= 0) return widths
  const growing = columns.flatMap(({ pin, sized }, index) =>
    pin === 'none' && !sized && (!seen || seen.indexes.has(index)) ? [index] : [],
  )
  if (seen && growing.length === 0) return widths
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

/** The unpinned columns that fit beside the pinned ones, and the remaining width. */
function seenWhole(columns: Sized[], available: number): { indexes: Set<number>; left: number } {
  let left = columns.reduce((rest, { pin, width }) => (pin === 'none' ? rest : rest - width), available)
  const indexes = new Set<number>()
  for (const [index, { pin, width }] of columns.entries()) {
    if (pin !== 'none') continue
    if (width > left) break
    indexes.add(index)
    left -= width
  }
  return { indexes, left: indexes.size > 0 ? left : 0 }
}
