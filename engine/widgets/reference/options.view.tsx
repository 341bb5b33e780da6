import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { constants } from '../../client/constants.ts'
import { useEngine } from '../../client/view.ts'
import type { OptionsResult } from '../../model/model.ts'
import type { Reference, ReferenceOptions } from './reference.ts'

export type Option = OptionsResult['list'][number]

/** Runs a task once its calls pause for the debounce; never after unmounting. */
export function useDebounced<A>(task: (argument: A) => void): (argument: A) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const latest = useRef(task)
  useLayoutEffect(() => {
    latest.current = task
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((argument: A) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(argument), constants.debounce)
  }, [])
}

const nothing = { list: [] as Option[], total: 0, page: 0, search: '', failed: false, isFirst: false }

/**
 * Pages of options: the first when the drop-down opens or the search changes, the next when its end becomes visible.
 */
export function useOptions({ entity, filter, offersFirst, offersAll: all }: ReferenceOptions) {
  const { options } = useEngine()
  const [state, setState] = useState(nothing)
  const [loading, setLoading] = useState(false)
  const [typed, setTyped] = useState('')
  const latest = useRef(0)
  useEffect(() => {
    latest.current = 0
    return () => {
      latest.current = -1
    }
  }, [])

  const load = async (search: string, page: number) => {
    if (latest.current < 0) return
    const request = ++latest.current
    setLoading(true)
    try {
      const narrowed = offersFirst && !search ? { ...filter, ...offersFirst } : filter
      const fetchPage = (by: ReferenceOptions['filter']) =>
        options(entity, { search: search || undefined, page, filter: by, all })
      const first = await fetchPage(narrowed)
      // If there are no preferred options, all are shown at once.
      const isFirst = narrowed !== filter && first.total > 0
      const { list, total } = narrowed === filter || isFirst ? first : await fetchPage(filter)
      // Ignores a late answer to an older request, or one for an unmounted control.
      if (request !== latest.current) return
      setState((old) => ({
        list: page === 1 ? list : [...old.list, ...list],
        total,
        page,
        search,
        failed: false,
        isFirst,
      }))
    } catch {
      if (request === latest.current)
        setState((old) => ({ ...(search === old.search ? old : nothing), search, failed: true }))
    }
    if (request === latest.current) setLoading(false)
  }
  const find = useDebounced<void>(() => void load(typed, 1))
  // Enter chooses the first option, which must not be one of an earlier search.
  const isBehind = typed !== state.search
  const list = isBehind ? nothing.list : state.list
  return {
    list,
    loading,
    isBehind,
    failed: state.failed,
    /** Typing finds more. */
    isFirst: state.isFirst && !isBehind,
    search: (text: string) => {
      setTyped(text.trim())
      find()
    },
    /** The control forgets what was typed when it loses the focus. */
    leave: () => setTyped(''),
    open: () => void load(typed, 1),
    more: () => {
      if (!loading && !isBehind && state.list.length < state.total) void load(state.search, state.page + 1)
    },
  }
}

/** The same references with names for those that came as bare ids: in filters from the address, in defaults. */
export function useNamed(entity: string, references: Reference[]): Reference[] {
  const { options } = useEngine()
  const [named, setNamed] = useState<Record<number, Reference>>({})
  const missing = references
    .filter((reference) => reference.name === undefined && !named[reference.id])
    .map((reference) => reference.id)
  const key = missing.join()
  useEffect(() => {
    if (key === '') return undefined
    let gone = false
    const ids = key.split(',').map(Number)
    // An unknown id keeps its number as its name, and is not requested again.
    const keep = (list: Option[]) => {
      const found = Object.fromEntries(ids.map((id) => [id, list.find((option) => option.id === id) ?? { id }]))
      if (!gone) setNamed((old) => ({ ...old, ...found }))
    }
    options(entity, { ids }).then(
      ({ list }) => keep(list),
      () => keep([]),
    )
    return () => {
      gone = true
    }
  }, [entity, key, options])
  return references.map((reference) => (reference.name === undefined ? (named[reference.id] ?? reference) : reference))
}

/** A chosen option as a value. */
export const chosenValue = ({ parent: _parent, disabled: _disabled, ...reference }: Reference): Reference => reference
