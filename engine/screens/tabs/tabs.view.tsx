import { useEffect, useMemo, useRef, useState } from 'react'
import { Screen, Tabs, useEngine } from '../../client/index.ts'
import type { ScreenFrame, ScreenViewProps } from '../../client/index.ts'
import type { TabsPlan } from './tabs.ts'
import './tabs.css'

/** The address stores the open tab under this key; all others belong to the open screen. */
const key = 'part'
type State = Readonly<Record<string, string>>

/** Several screens under one address, one visible at a time. A screen that was opened once keeps its state. */
export function TabsView({ plan, bundle, query, frame }: ScreenViewProps<TabsPlan>) {
  const { text } = useEngine()
  const tabs = plan.body.tabs.filter(({ permission }) => bundle.granted[permission] !== false)
  const open = tabs.some(({ name }) => name === frame.state[key]) ? frame.state[key] : tabs[0].name
  const left = useRef(new Map<string, State>())
  const { [key]: _, ...state } = frame.state
  const show = (name: string) => {
    left.current.set(open, state)
    frame.setState({ [key]: name, ...left.current.get(name) })
  }
  return (
    <div className="tabs-view">
      {frame.place === 'page' && <h1 className="visually-hidden">{text(plan.title)}</h1>}
      <Tabs
        label={text(plan.title)}
        active={open}
        onChange={show}
        tabs={tabs.map(({ name, label, screen, parameters }) => ({
          name,
          label: text(label),
          content: (
            <Part
              name={name}
              screen={screen}
              query={Object.fromEntries(
                parameters.flatMap((parameter) =>
                  query[parameter] === undefined ? [] : [[parameter, query[parameter]]],
                ),
              )}
              outer={frame}
              seen={name === open}
              state={name === open ? state : left.current.get(name)}
            />
          ),
        }))}
      />
    </div>
  )
}

interface PartProps {
  name: string
  screen: string
  query: Readonly<Record<string, string>>
  outer: ScreenFrame
  seen: boolean
  state: State | undefined
}

function Part({ name, screen, query: given, outer, seen, state }: PartProps) {
  const [query] = useState(given)
  const kept = useRef<State>({})
  if (state && JSON.stringify(state) !== JSON.stringify(kept.current)) kept.current = state
  const own = kept.current
  const { active, version, navigate, close } = outer
  const latest = useRef(outer)
  latest.current = outer
  // The open screen reports whether it is still being drawn.
  const [busy, setBusy] = useState(true)
  const { setBusy: reportBusy } = outer
  useEffect(() => {
    if (seen) reportBusy(busy)
  }, [seen, busy, reportBusy])
  const frame = useMemo<ScreenFrame>(
    () => ({
      place: 'drawer',
      active: active && seen,
      version,
      navigate,
      close,
      state: own,
      setState: (next) => latest.current.setState({ [key]: name, ...next }),
      setBusy,
      setDirty: (dirty, part = '') => latest.current.setDirty(dirty, `${name}/${part}`),
    }),
    [active, seen, version, navigate, close, own, name],
  )
  return <Screen name={screen} query={query} frame={frame} />
}
