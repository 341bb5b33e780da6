import { useLayoutEffect, useMemo, useState } from 'react'
import type { RefObject } from 'react'
import { stretchWidths } from './columnChoices.ts'
import type { GridColumn } from './GridRow.tsx'
import { columnRange, cutColumns, roomBefore, rowRange, wholeColumns } from './window.ts'
import type { Range } from './window.ts'

export const tickWidth = 42

interface Given {
  scroller: RefObject<HTMLDivElement | null>
  columns: GridColumn[]
  /** The column that is being resized. */
  resized: { field: string; width: number } | undefined
  /** The width in front of the columns. */
  lead: number
  rowCount: number
  rowHeight: number
  /** Field → the sum under its column. */
  sums: Readonly<Record<string, string>> | undefined
}

interface View {
  top: number
  left: number
  width: number
  height: number
}

/**
 * The column widths, the drawn rows and unpinned columns, and which of these are fully visible. Scrolling within the
 * drawn range changes nothing, as long as the same columns are fully visible.
 */
export function useGridWindow(given: Given): { widths: number[]; shown: Range; seen: Range; whole: Range } {
  const { scroller, columns, resized, lead, rowCount, rowHeight, sums } = given
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
    const unpinned = columns.filter(({ pin }) => pin === 'none')
    const middle = widths.filter((_, index) => columns[index].pin === 'none')
    const isSummed = unpinned.map(({ field }) => sums?.[field] !== undefined)
    const pinnedBefore = widths.reduce((sum, width, index) => (columns[index].pin === 'left' ? sum + width : sum), 0)
    const pinned = widths.reduce((sum, width) => sum + width, lead) - middle.reduce((sum, width) => sum + width, 0)
    return ({ top, left, width, height }: View) => {
      const viewport = Math.max(0, width - pinned)
      return {
        shown: rowRange(rowCount, rowHeight, top, height),
        seen: columnRange(middle, left, viewport),
        whole: wholeColumns(middle, left, viewport),
        cut: cutColumns(middle, left, viewport),
        room: pinnedBefore + roomBefore(middle, isSummed, { scrollLeft: left, viewport }),
      }
    }
  }, [widths, columns, lead, rowCount, rowHeight, sums])

  useLayoutEffect(() => {
    const element = scroller.current!
    const read = () => {
      // A hidden grid keeps its last size.
      if (element.clientWidth === 0) return
      const next = {
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth,
        height: element.clientHeight,
      }
      const { cut, room } = ranges(next)
      element.style.setProperty('--cut-before', `${cut.before}px`)
      element.style.setProperty('--cut-after', `${-cut.after}px`)
      element.style.setProperty('--sums-room', `${room}px`)
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
  const { shown, seen, whole } = ranges(view)
  return { widths, shown, seen, whole }
}

type Ranges = Record<'shown' | 'seen' | 'whole', Range>
const same = (a: Ranges, b: Ranges) =>
  (['shown', 'seen', 'whole'] as const).every((each) => a[each].from === b[each].from && a[each].to === b[each].to)
