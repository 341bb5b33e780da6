import { useEffect, useRef } from 'react'
import { pressable } from '../../client/pressable.ts'
import { useWords } from '../../client/words.ts'
import { pageSizes } from './listState.ts'

interface PagerProps {
  page: number
  size: number
  total: number
  /** There are more than `total`, where counting stopped. */
  open?: OpenTotal
  onChange(page: number, size: number): void
}
interface OpenTotal {
  /** Whether there is a next page. */
  next: boolean
  counting: boolean
  onCount(): void
}

export function Pager({ page, size, total, open, onChange }: PagerProps) {
  const words = useWords()
  const known = Math.max(1, Math.ceil(total / size))
  const last = open ? Math.max(known, page + (open.next ? 1 : 0)) : known
  const numbers = pageNumbers(page, last)
  // Changing the size keeps the first visible row on the page.
  const resize = (next: number) => onChange(Math.floor(((page - 1) * size) / next) + 1, next)
  return (
    <nav className="pager" aria-label={words('pages')}>
      <Count total={total} open={open} />
      <span className="pager-pages">
        <button
          type="button"
          aria-label={words('previousPage')}
          {...pressable(page > 1, () => onChange(page - 1, size))}
        >
          ‹
        </button>
        {(open ? withoutLast(numbers, page) : numbers).map((number, index) =>
          number === null ? (
            <span key={`gap-${index}`} aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={number}
              type="button"
              aria-label={words('page', { n: number })}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onChange(number, size)}
            >
              {number}
            </button>
          ),
        )}
        <button
          type="button"
          aria-label={words('nextPage')}
          {...pressable(open ? open.next : page < last, () => onChange(page + 1, size))}
        >
          ›
        </button>
      </span>
      <select aria-label={words('pageSize')} value={size} onChange={(event) => resize(Number(event.target.value))}>
        {pageSizes.map((choice) => (
          <option key={choice} value={choice}>
            {words('perPage', { n: choice })}
          </option>
        ))}
      </select>
    </nav>
  )
}

/** The number of records; a very large number is counted exactly on demand, and then announced. */
function Count({ total, open }: Pick<PagerProps, 'total' | 'open'>) {
  const words = useWords()
  const text = useRef<HTMLSpanElement>(null)
  const requested = useRef(false)
  useEffect(() => {
    if (open) return
    // The button is gone, so the focus moves to its result.
    if (requested.current) text.current?.focus()
    requested.current = false
  }, [open])
  return (
    <>
      <span ref={text} className="pager-count" tabIndex={-1}>
        {words('count', { n: open ? `${total}+` : total })}
      </span>
      {open && (
        <button
          type="button"
          className="pager-count-all"
          aria-busy={open.counting}
          onClick={() => {
            requested.current = true
            open.onCount()
          }}
        >
          {words(open.counting ? 'counting' : 'countAll')}
        </button>
      )}
    </>
  )
}

/** Only nearby pages, because the last page is unknown. */
const withoutLast = (numbers: readonly (number | null)[], page: number) => [
  ...numbers
    .filter((number) => number === null || number <= page + 2)
    .filter((number, index, all) => number !== null || index < all.length - 1),
  null,
]

/** The first, the last, and two on either side; null is a gap. */
export function pageNumbers(page: number, last: number): (number | null)[] {
  const near = [1, ...[-2, -1, 0, 1, 2].map((step) => page + step), last].filter(
    (number) => number >= 1 && number <= last,
  )
  return [...new Set(near)]
    .sort((a, b) => a - b)
    .flatMap((number, index, all) => {
      const gap = index > 0 ? number - all[index - 1] : 1
      return gap === 1 ? [number] : gap === 2 ? [number - 1, number] : [null, number]
    })
}
