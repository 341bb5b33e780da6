/** Which rows and columns of a large grid are drawn. Ranges are half open: `[from, to)`. */
export interface Range {
  from: number
  to: number
}

/** Up to this many rows are all drawn, so that the browser's own search finds everything. */
const allRows = 60
const allColumns = 30

/** Steps of four rows, so that most scroll events change nothing. */
const step = 4

export function rowRange(count: number, rowHeight: number, scrollTop: number, viewport: number): Range {
  if (count <= allRows) return { from: 0, to: count }
  const first = Math.floor(scrollTop / rowHeight / step) * step
  const last = Math.ceil((scrollTop + viewport) / rowHeight / step) * step
  return { from: Math.max(0, Math.min(first - step, count)), to: Math.min(count, last + step) }
}

/** For the columns between the pinned ones; `widths` are theirs. */
export function columnRange(widths: number[], scrollLeft: number, viewport: number): Range {
  if (widths.length <= allColumns) return { from: 0, to: widths.length }
  const margin = 200
  let from = 0
  let left = 0
  while (from < widths.length && left + widths[from] < scrollLeft - margin) left += widths[from++]
  // Steps of two columns.
  if (from % 2 === 1) left -= widths[--from]
  let to = from
  while (to < widths.length && left < scrollLeft + viewport + margin) left += widths[to++]
  return { from, to: Math.min(widths.length, to + (to % 2)) }
}

export interface Cut {
  /** Pixels of a column that is partly hidden behind the pinned columns on the left. */
  before: number
  /** Pixels of one that is partly hidden behind those on the right. */
  after: number
}

/** Partly visible columns: half a figure is a wrong figure. A single column is shown. */
export function cutColumns(widths: number[], scrollLeft: number, viewport: number): Cut {
  const end = scrollLeft + viewport
  let left = 0
  const cut = { before: 0, after: 0 }
  let whole = 0
  for (const width of widths) {
    const right = left + width
    const isCutBefore = left < scrollLeft - 1 && right > scrollLeft + 1
    const isCutAfter = left < end - 1 && right > end + 1
    if (isCutBefore) cut.before = Math.round(right - scrollLeft)
    if (isCutAfter) cut.after = Math.round(end - left)
    if (!isCutBefore && !isCutAfter && left >= scrollLeft - 1 && right <= end + 1) whole++
    left = right
  }
  return whole > 0 ? cut : { before: 0, after: 0 }
}

/** The fully visible columns. */
export function wholeColumns(widths: number[], scrollLeft: number, viewport: number): Range {
  const end = scrollLeft + viewport
  const edges = [0]
  for (const width of widths) edges.push(edges.at(-1)! + width)
  const from = widths.findIndex((_, index) => edges[index] >= scrollLeft - 1)
  if (from === -1) return { from: widths.length, to: widths.length }
  const last = widths.findLastIndex((_, index) => edges[index + 1] <= end + 1)
  return { from, to: Math.max(from, last + 1) }
}

/** Pixels before the first marked column that is fully visible, or else before the end of the visible area. */
export function roomBefore(widths: number[], isMarked: boolean[], { scrollLeft, viewport }: Sight): number {
  const { from, to } = wholeColumns(widths, scrollLeft, viewport)
  const first = isMarked.findIndex((marked, index) => marked && index >= from && index < to)
  if (first === -1) return viewport
  return widths.slice(0, first).reduce((sum, width) => sum + width, 0) - scrollLeft
}
interface Sight {
  scrollLeft: number
  viewport: number
}
