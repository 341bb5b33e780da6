import { Button, Drawer, Input } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { useEngine } from '../../client/view.ts'
import { useWords } from '../../client/words.ts'
import type { EntityPlan } from '../../model/model.ts'
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
  /** Of a list whose heads are not there to click on. */
  sort?: string
  onSort?(sort: string | undefined): void
  onQuery(query: Query): void
}

/** What the operator looks for. Nothing is asked until 查询 or Enter. */
export function Filters({ plan, entity, applied, narrow, sort, onSort, onQuery }: FiltersProps) {
  const words = useWords()
  const { text } = useEngine()
  const prefix = useId()
  const filters = plan.filters.filter(({ field }) => entity.fields[field])
  const [draft, setDraft] = useState<Query>(applied)
  const [open, setOpen] = useState(() =>
    filters.some(({ field }, index) => index >= visibleFilters && applied.filters[field]),
  )
  const [unfolded, setUnfolded] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const fold = useRef<HTMLButtonElement>(null)

  // A query may also come from the address: a link, or the way back.
  const given = JSON.stringify({ search: applied.search, filters: applied.filters })
  useEffect(() => setDraft(JSON.parse(given) as Query), [given])

  if (filters.length === 0 && !plan.search) return null
  const count = Object.keys(applied.filters).length + Number(applied.search !== '')
  const reset = () => {
    const { search, filters: initial } = initialState(plan)
    setDraft({ search, filters: initial })
    onQuery({ search, filters: initial })
  }
  // One button of a screen stands out, and that is what it is for.
  const hasPrimary = !narrow && plan.actions.some(({ on, primary }) => on === 'toolbar' && primary)
  const fields = (
    <form
      ref={form}
      tabIndex={-1}
      role="search"
      className="list-filters"
      onSubmit={(event) => {
        event.preventDefault()
        setUnfolded(false)
        onQuery(draft)
      }}
    >
      {plan.search && (
        <div className="list-filter list-filter-search">
          <label htmlFor={`${prefix}-search`} className="visually-hidden">
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
      {narrow && onSort && <Sorting plan={plan} sort={sort} onSort={onSort} />}
      <div className="list-filter-buttons">
        <Button type={hasPrimary ? 'default' : 'primary'} htmlType="submit">
          {words('query')}
        </Button>
        <Button onClick={reset}>{words('reset')}</Button>
        {filters.length > visibleFilters && (
          <Button type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {words(open ? 'collapse' : 'expand')}
          </Button>
        )}
        {narrow && (
          <Button type="link" onClick={() => setUnfolded(false)}>
            {words('close')}
          </Button>
        )}
      </div>
    </form>
  )
  if (!narrow) return fields
  return (
    <div className="list-fold">
      <Button ref={fold} aria-expanded={unfolded} aria-haspopup="dialog" onClick={() => setUnfolded(true)}>
        {count ? words('filtersCount', { n: count }) : words('filters')}
      </Button>
      <Drawer
        open={unfolded}
        placement="bottom"
        height="auto"
        title={words('filters')}
        closable={false}
        onClose={() => setUnfolded(false)}
        afterOpenChange={(shown) => (shown ? form.current : fold.current)?.focus()}
        destroyOnHidden
        styles={{ body: { padding: 0, maxHeight: '75dvh' } }}
      >
        {fields}
      </Drawer>
    </div>
  )
}

/** Cards have no heads to click on. */
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
