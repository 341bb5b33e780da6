import { Button, Input } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { EntityPlan } from '../../schema/model.ts'
import { FilterControl } from '../../client/FilterControl.tsx'
import type { ListPlan } from './list.ts'
import { initialState } from './listState.ts'
import type { ListState } from './listState.ts'

/** So many filters are seen before one asks for more. */
const visibleFilters = 6

type Query = Pick<ListState, 'search' | 'filters'>
interface FiltersProps {
  plan: ListPlan
  entity: EntityPlan
  applied: Query
  narrow: boolean
  onQuery(query: Query): void
}

/** What the operator looks for. Nothing is asked until 查询 or Enter. */
export function Filters({ plan, entity, applied, narrow, onQuery }: FiltersProps) {
  const words = useWords()
  const { text } = useEngine()
  const prefix = useId()
  const filters = plan.filters.filter(({ field }) => entity.fields[field])
  const [draft, setDraft] = useState<Query>(applied)
  const [open, setOpen] = useState(() =>
    filters.some(({ field }, index) => index >= visibleFilters && applied.filters[field]),
  )
  /** Undefined until somebody has unfolded them. */
  const [unfolded, setUnfolded] = useState<boolean>()
  const form = useRef<HTMLFormElement>(null)
  const fold = useRef<HTMLButtonElement>(null)

  // A query may also come from the address: a link, or the way back.
  const given = JSON.stringify({ search: applied.search, filters: applied.filters })
  useEffect(() => setDraft(JSON.parse(given) as Query), [given])

  // The button that was pressed is gone: the focus goes to what has come in its place.
  useEffect(() => {
    if (unfolded === true) form.current?.focus()
    if (unfolded === false) fold.current?.focus()
  }, [unfolded])

  if (filters.length === 0 && !plan.search) return null
  const count = Object.keys(applied.filters).length + Number(applied.search !== '')
  const reset = () => {
    const { search, filters: initial } = initialState(plan)
    setDraft({ search, filters: initial })
    onQuery({ search, filters: initial })
  }
  if (narrow && !unfolded) {
    return (
      <div className="list-fold">
        <Button ref={fold} aria-expanded={false} onClick={() => setUnfolded(true)}>
          {count ? words('filtersCount', { n: count }) : words('filters')}
        </Button>
      </div>
    )
  }
  return (
    <form
      ref={form}
      tabIndex={-1}
      role="search"
      className="list-filters"
      onSubmit={(event) => {
        event.preventDefault()
        onQuery(draft)
      }}
    >
      {plan.search && (
        <div className="list-filter">
          <label htmlFor={`${prefix}-search`} title={text(plan.search)}>
            {text(plan.search)}
          </label>
          <Input
            id={`${prefix}-search`}
            allowClear
            autoComplete="off"
            placeholder={text(plan.search)}
            title={words('searchHint')}
            value={draft.search}
            onChange={(event) => setDraft({ ...draft, search: event.target.value })}
          />
        </div>
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
            onChange={(value) =>
              setDraft((old) => {
                const { [field]: _, ...others } = old.filters
                return { ...old, filters: value ? { ...others, [field]: value } : others }
              })
            }
          />
        </div>
      ))}
      <div className="list-filter-buttons">
        <Button type="primary" htmlType="submit">
          {words('query')}
        </Button>
        <Button onClick={reset}>{words('reset')}</Button>
        {filters.length > visibleFilters && (
          <Button type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {words(open ? 'collapse' : 'expand')}
          </Button>
        )}
        {narrow && (
          <Button type="link" aria-expanded onClick={() => setUnfolded(false)}>
            {words('close')}
          </Button>
        )}
      </div>
    </form>
  )
}
