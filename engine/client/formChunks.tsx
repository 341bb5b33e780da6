import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'

/** Approximate height in pixels of one form row, enough to reserve space for what is not drawn yet. */
const rowHeight = 86
/** Fields drawn together. */
const chunkSize = 6

export interface ChunkPlan<F> {
  index: number
  section: number
  fields: F[]
  height: number
}

/** The fields of a form in chunks, section by section. */
export function chunksOf<F extends { span: number }>(sections: readonly (readonly F[])[]): ChunkPlan<F>[] {
  let index = 0
  return sections.flatMap((fields, section) => {
    const chunks: ChunkPlan<F>[] = []
    for (let from = 0; from < fields.length; from += chunkSize) {
      const part = fields.slice(from, from + chunkSize)
      const rows = Math.ceil(part.reduce((sum, { span }) => sum + span, 0) / 24)
      chunks.push({ index: index++, section, fields: part, height: rows * rowHeight })
    }
    return chunks
  })
}

/**
 * Which chunks are drawn: those that fit the window at the start, the rest when scrolled to, requested, or when the
 * browser is idle.
 */
export class ChunkStore {
  private readonly drawn: Set<number>
  private readonly listeners = new Set<() => void>()
  private readonly count: number

  /** @param former the model that this one replaces: its drawn chunks stay drawn, so that the page does not jump */
  constructor(chunks: readonly ChunkPlan<unknown>[], former?: ChunkStore) {
    this.count = chunks.length
    this.drawn = new Set(
      typeof IntersectionObserver === 'function'
        ? [...firstOf(chunks), ...(former?.drawn ?? [])]
        : chunks.map(({ index }) => index),
    )
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  isDrawn = (index: number) => this.drawn.has(index)

  draw(index: number) {
    if (this.drawn.has(index)) return
    this.drawn.add(index)
    this.listeners.forEach((listener) => listener())
  }

  /** The first chunk that is not drawn; undefined when all are. */
  next(): number | undefined {
    for (let index = 0; index < this.count; index++) if (!this.drawn.has(index)) return index
    return undefined
  }
}

function firstOf(chunks: readonly ChunkPlan<unknown>[]): number[] {
  // Read once, because reading it forces a layout.
  const { innerHeight } = window
  let height = 0
  return chunks
    .filter((chunk) => {
      const before = height
      height += chunk.height
      return before < innerHeight
    })
    .map(({ index }) => index)
}

const StoreReact = createContext<ChunkStore | null>(null)

/** Draws one chunk at a time while nobody types, so that the browser's own search finds everything. */
export function Chunks({ store, children }: { store: ChunkStore; children: ReactNode }) {
  useEffect(() => {
    if (typeof requestIdleCallback !== 'function') return
    let handle = 0
    const later = () => {
      const next = store.next()
      if (next === undefined) return
      handle = requestIdleCallback(() => {
        store.draw(next)
        later()
      })
    }
    later()
    return () => cancelIdleCallback(handle)
  }, [store])
  return <StoreReact.Provider value={store}>{children}</StoreReact.Provider>
}

export function Chunk({ index, height, children }: { index: number; height: number; children(): ReactNode }) {
  const store = useContext(StoreReact)!
  const isDrawn = useSyncExternalStore(store.subscribe, () => store.isDrawn(index))
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isDrawn || !place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) store.draw(index)
      },
      { rootMargin: '600px' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isDrawn, store, index])
  return isDrawn ? <>{children()}</> : <div ref={place} className="form-chunk" style={{ height }} />
}
