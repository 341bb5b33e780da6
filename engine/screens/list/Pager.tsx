import { useWords } from '../../client/words.ts'
import { pageSizes } from './listState.ts'

interface PagerProps {
  page: number
  size: number
  total: number
  onChange(page: number, size: number): void
}

export function Pager({ page, size, total, onChange }: PagerProps) {
  const words = useWords()
  const last = Math.max(1, Math.ceil(total / size))
  // Whoever changes the size stays at the first row that was seen.
  const resize = (next: number) => onChange(Math.floor(((page - 1) * size) / next) + 1, next)
  return (
    <nav className="pager" aria-label={words('pages')}>
      <span className="pager-count">{words('count', { n: total })}</span>
      <button
        type="button"
        aria-label={words('previousPage')}
        disabled={page <= 1}
        onClick={() => onChange(page - 1, size)}
      >
        ‹
      </button>
      {pageNumbers(page, last).map((number, index) =>
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
        disabled={page >= last}
        onClick={() => onChange(page + 1, size)}
      >
        ›
      </button>
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
