import type { GridColumn } from './GridRow.tsx'

/** The height of a grid without scrolling; an empty one has room for three rows. */
export const contentHeight = (rows: number, rowHeight: number, hasSums: boolean): Record<string, string> => ({
  '--grid-content': `${(Math.max(rows, 3) + 1 + (hasSums ? 1 : 0)) * rowHeight + 18}px`,
})

export const tableStyle = (columns: GridColumn[], widths: number[], lead: number): Record<string, string | number> => ({
  width: widths.reduce((sum, width) => sum + width, lead),
  ...pinOffsets(columns, widths, lead),
})

/** The widths of the pinned columns on either side. */
export function pinnedWidths(columns: GridColumn[], widths: number[], lead: number): { left: number; right: number } {
  const pinned = (side: 'left' | 'right') =>
    widths.reduce((sum, width, index) => (columns[index].pin === side ? sum + width : sum), 0)
  return { left: lead + pinned('left'), right: pinned('right') }
}

/** Pinned cells read their offset from CSS variables of the table, so that a new width renders no row. */
function pinOffsets(columns: GridColumn[], widths: number[], lead: number): Record<string, string> {
  const offsets: Record<string, string> = {}
  let left = lead
  columns.forEach(({ pin }, index) => {
    if (pin !== 'left') return
    offsets[`--pin-${index}`] = `${left}px`
    left += widths[index]
  })
  let right = 0
  for (let index = columns.length - 1; index >= 0; index--) {
    if (columns[index].pin !== 'right') continue
    offsets[`--pin-${index}`] = `${right}px`
    right += widths[index]
  }
  return offsets
}

/** Scrolls a focused cell out from behind the pinned columns, where the browser considers it visible. */
export function uncover(scroller: HTMLElement, target: Element, pinned: ReturnType<typeof pinnedWidths>) {
  const cell = target.closest('th, td')
  if (!cell || cell.matches('.pin-left, .pin-right')) return
  const { left, right } = target.getBoundingClientRect()
  const start = scroller.getBoundingClientRect().left + scroller.clientLeft + pinned.left
  const end = start - pinned.left + scroller.clientWidth - pinned.right
  if (left < start) scroller.scrollLeft -= start - left
  else if (right > end) scroller.scrollLeft += right - end
}

/** Gives cut text a title, measured only on hover; the title keeps the problem of a cell. */
export function titleCutText({ target }: { target: EventTarget }) {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td, th') : null
  if (!cell) return
  const inner = cell.querySelector<HTMLElement>('.grid-sort span, .grid-head') ?? cell
  const isCut =
    cell.dataset.narrow !== undefined || [cell, inner].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  const lines = [isCut && cell.textContent, cell.dataset.problem].filter(Boolean)
  if (lines.length > 0) cell.title = lines.join('\n')
  else cell.removeAttribute('title')
}
