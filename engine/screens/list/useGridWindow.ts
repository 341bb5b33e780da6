import { useLayoutEffect, useMemo, useState } from 'react'
import type { RefObject } from 'react'
import { stretchWidths } from './columnChoices.ts'
import type { GridColumn } from './GridRow.tsx'
import { columnRange, cutColumns, rowRange } from './window.ts'
import type { Range } from './window.ts'

export const tickWidth = 42

interface Given {
  scroller: RefObject<HTMLDivElement | null>
  columns: GridColumn[]
  /** The column that is being dragged. */
  resized: { field: string; width: number } | undefined
  /** What stands before the columns. */
  lead: number
  rowCount: number
  rowHeight: number
}

interface View {
  top: number
  left: number
  width: number
  height: number
}

/**
 * How wide the columns are, and which rows and which unpinned columns are drawn. Scrolling within what is drawn changes
 * nothing.
 */
export function useGridWindow(given: Given): { widths: number[]; shown: Range; seen: Range } {
  const { scroller, columns, resized, lead, rowCount, rowHeight } = given
  const [view, setView] = useState<View>(() => ({
    top: 0,
    left: 0,
    width: window.innerWidth,
    height: window.innerHeight,
  }))
  const widths = useMemo(() => {
    const drawn = columns.map((column) =>
      column.field === resized?.field ? { ...column, width: resized.width, sized: true } : column,
    )
    return stretchWidths(drawn, view.width - lead)
  }, [columns, resized, view.width, lead])
  const ranges = useMemo(() => {
    const middle = widths.filter((_, index) => columns[index].pin === 'none')
    const pinned = widths.reduce((sum, width) => sum + width, lead) - middle.reduce((sum, width) => sum + width, 0)
    return ({ top, left, width, height }: View) => ({
      shown: rowRange(rowCount, rowHeight, top, height),
      seen: columnRange(middle, left, Math.max(0, width - pinned)),
      cut: cutColumns(middle, left, Math.max(0, width - pinned)),
    })
  }, [widths, columns, lead, rowCount, rowHeight])

  useLayoutEffect(() => {
    const element = scroller.current!
    const read = () => {
      // A hidden grid keeps what it last saw.
      if (element.clientWidth === 0) return
      const next = {
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth,
        height: element.clientHeight,
      }
      const { cut } = ranges(next)
      element.style.setProperty('--cut-before', `${cut.before}px`)
      element.style.setProperty('--cut-after', `${-cut.after}px`)
      setView((old) => (old.width === next.width && same(ranges(old), ranges(next)) ? old : next))
    }
    read()
    element.addEventListener('scroll', read, { passive: true })
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(read)
    observer?.observe(element)
    return () => {
      element.removeEventListener('scroll', read)
      observer?.disconnect()
    }
  }, [scroller, ranges])
  const { shown, seen } = ranges(view)
  return { widths, shown, seen }
}

const same = (a: { shown: Range; seen: Range }, b: { shown: Range; seen: Range }) =>
  a.shown.from === b.shown.from && a.shown.to === b.shown.to && a.seen.from === b.seen.from && a.seen.to === b.seen.to
