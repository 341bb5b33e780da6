import { Button } from 'antd'
import { Drawer } from '../../client/overlays.tsx'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { PendingControl } from '../../client/PendingControl.tsx'
import { loadWithRetry } from '../../client/loadWithRetry.ts'
import { useShown } from '../../client/frame.ts'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { EntityPlan } from '../../model/model.ts'
import { FilterControl } from '../../client/FilterControl.tsx'
import { filterProblem } from '../../client/filterProblem.ts'
import type { ListPlan } from './list.ts'
import { initialState, withFilter } from './listState.ts'
import type { ListState } from './listState.ts'

const SearchInput = lazy(async () => ({
  default: await loadWithRetry(async () => (await import('../../client/filterControls.tsx')).SearchInput),
}))

/** How many filters are visible before the user expands them. */
const visibleFilters = 6

type Query = Pick<ListState, 'search' | 'filters' | 'emptied'>
interface FiltersProps {
  plan: ListPlan
  entity: EntityPlan
  applied: Query & Pick<ListState, 'tab'>
  narrow: boolean
  /** Another button of the screen stands out already. */
  isOutranked?: boolean
  /** The first rows are painted, and no longer delayed by controls. */
  drawn?: boolean
  /** For cards, which have no column headers to click on. */
  sort?: string
  onSort?(sort: string | undefined): void
  onQuery(query: Query): void
}

/** The search and filters of a list, which apply only on 查询 or Enter. */
export function Filters({ plan, entity, applied, narrow, isOutranked = false, drawn = true, ...rest }: FiltersProps) {
  const { sort, onSort, onQuery } = rest
  const engine = useEngine()
  const { text } = engine
  const prefix = useId()
  const filters = plan.filters.filter(({ field }) => entity.fields[field])
  const [draft, setDraft] = useState<Query>(applied)
  const [open, setOpen] = useState(() =>
    filters.some(({ field }, index) => index >= visibleFilters && applied.filters[field]),
  )
  const [unfolded, setUnfolded] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  // A query may also come from the address, by a link or the back button.
  const given = JSON.stringify({ search: applied.search, filters: applied.filters })
  useEffect(() => setDraft(JSON.parse(given) as Query), [given])

  if (filters.length === 0 && !plan.search) return null
  const count = Object.keys(applied.filters).length + Number(applied.search !== '')
  const reset = () => {
    const { search, filters: initial } = initialState(plan, applied.tab)
    setDraft({ search, filters: initial })
    onQuery({ search, filters: initial, emptied: [] })
  }
  const fields = (
    <form
      ref={form}
      tabIndex={-1}
      role="search"
      className="list-filters"
      onSubmit={(event) => {
        event.preventDefault()
        const wrong = filters.find(({ field, operator }) =>
          filterProblem(entity.fields[field], operator, draft.filters[field], engine),
        )
        if (wrong) return document.getElementById(`${prefix}-${wrong.field}`)?.focus()
        setUnfolded(false)
        onQuery(draft)
      }}
    >
      {plan.search && (
        <Search
          id={`${prefix}-search`}
          loads={drawn}
          label={text(plan.search)}
          value={draft.search}
          onChange={(search) => setDraft({ ...draft, search })}
        />
      )}
      {filters.slice(0, open ? undefined : visibleFilters).map(({ field, label, operator }) => (
        <div key={field} className="list-filter" data-field={field} data-part="filter">
          <label htmlFor={`${prefix}-${field}`}>{text(label)}</label>
          <FilterControl
            id={`${prefix}-${field}`}
            field={entity.fields[field]}
            label={text(label)}
            operator={operator}
            value={draft.filters[field]}
            loads={drawn}
            onChange={(value) => setDraft((old) => ({ ...old, filters: withFilter(old.filters, field, value) }))}
          />
        </div>
      ))}
      {narrow && onSort && <Sorting plan={plan} sort={sort} onSort={onSort} />}
      <FilterButtons
        // Only one button of a screen stands out, and an action to add a record comes first.
        primary={narrow || !(isOutranked || plan.actions.some(({ on, primary }) => on === 'toolbar' && primary))}
        open={filters.length > visibleFilters ? open : undefined}
        onOpen={setOpen}
        onReset={reset}
        onClose={narrow ? () => setUnfolded(false) : undefined}
      />
    </form>
  )
  if (!narrow) return fields
  return (
    <FoldedFilters count={count} unfolded={unfolded} onUnfold={setUnfolded} form={form}>
      {fields}
    </FoldedFilters>
  )
}

interface FilterButtonsProps {
  primary: boolean
  /** Whether all filters are visible; undefined if they always are. */
  open: boolean | undefined
  onOpen(open: boolean): void
  onReset(): void
  onClose: (() => void) | undefined
}

function FilterButtons({ primary, open, onOpen, onReset, onClose }: FilterButtonsProps) {
  const words = useWords()
  return (
    <div className="list-filter-buttons">
      <Button type={primary ? 'primary' : 'default'} htmlType="submit">
        {words('query')}
      </Button>
      <Button onClick={onReset}>{words('reset')}</Button>
      {open !== undefined && (
        <Button type="link" aria-expanded={open} onClick={() => onOpen(!open)}>
          {words(open ? 'collapse' : 'expand')}
        </Button>
      )}
      {onClose && (
        <Button type="link" onClick={onClose}>
          {words('close')}
        </Button>
      )}
    </div>
  )
}

interface SearchProps {
  id: string
  label: string
  value: string
  loads: boolean
  onChange(value: string): void
}

function Search({ loads, ...input }: SearchProps) {
  const pending = <PendingControl>{input.label}</PendingControl>
  return (
    <div className="list-filter list-filter-search">
      <label htmlFor={input.id} className="visually-hidden">
        {input.label}
      </label>
      {loads ? (
        <Suspense fallback={pending}>
          <SearchInput {...input} />
        </Suspense>
      ) : (
        pending
      )}
    </div>
  )
}

interface FoldedFiltersProps {
  /** How many filters apply. */
  count: number
  unfolded: boolean
  onUnfold(unfolded: boolean): void
  form: RefObject<HTMLFormElement>
  children: ReactNode
}

/** On a phone the filters slide up from the bottom when the user taps a button. */
function FoldedFilters({ count, unfolded, onUnfold, form, children }: FoldedFiltersProps) {
  const words = useWords()
  const button = useRef<HTMLButtonElement>(null)
  const shown = useShown()
  return (
    <div className="list-fold">
      <Button ref={button} aria-expanded={unfolded} aria-haspopup="dialog" onClick={() => onUnfold(true)}>
        {count ? words('filtersCount', { n: count }) : words('filters')}
      </Button>
      <Drawer
        open={unfolded && shown}
        placement="bottom"
        height="auto"
        title={words('filters')}
        closable={false}
        onClose={() => onUnfold(false)}
        afterOpenChange={(isOpen) => (isOpen ? form.current : button.current)?.focus()}
        destroyOnHidden
        styles={{ body: { padding: 0, maxHeight: '75dvh' } }}
      >
        {children}
      </Drawer>
    </div>
  )
}

/** The sort order of cards, which have no column headers to click on. */
function Sorting({ plan, sort, onSort }: Pick<FiltersProps, 'plan' | 'sort'> & Required<Pick<FiltersProps, 'onSort'>>) {
  const words = useWords()
  const { text } = useEngine()
  const id = useId()
  const sortable = plan.columns.filter((column) => column.sort)
  if (sortable.length === 0) return null
  return (
    <div className="list-filter">
      <label htmlFor={id}>{words('sortedBy')}</label>
      <select id={id} value={sort ?? ''} onChange={(event) => onSort(event.target.value || undefined)}>
        {!sortable.some(({ field }) => [field, `-${field}`].includes(sort ?? '')) && (
          <option value={sort ?? ''}>{words('ownOrder')}</option>
        )}
        {sortable.flatMap(({ field, label }) => [
          <option key={field} value={field}>
            {words('ascending', { label: text(label) })}
          </option>,
          <option key={`-${field}`} value={`-${field}`}>
            {words('descending', { label: text(label) })}
          </option>,
        ])}
      </select>
    </div>
  )
}
