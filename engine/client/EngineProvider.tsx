import { createContext, useContext, useMemo } from 'react'
import type { ReactNode } from 'react'
import type { Widget } from '../model/model.ts'
import type { ScreenView } from './frame.ts'
import type { LazyView, WidgetView } from './view.ts'
import './colours.css'

/** What a product plugs into the engine. */
export interface EngineLists {
  widgets: Record<string, Widget>
  widgetViews: Record<string, WidgetView | LazyView>
  /** Screen kind → its view, loaded on first use. */
  screenViews: Record<string, () => Promise<ScreenView>>
}

const ListsReact = createContext<EngineLists | null>(null)

export function EngineProvider({ widgets, widgetViews, screenViews, children }: EngineLists & { children: ReactNode }) {
  const lists = useMemo(() => ({ widgets, widgetViews, screenViews }), [widgets, widgetViews, screenViews])
  return <ListsReact.Provider value={lists}>{children}</ListsReact.Provider>
}

export function useEngineLists(): EngineLists {
  const lists = useContext(ListsReact)
  if (!lists) throw new Error('useEngineLists: no EngineProvider above')
  return lists
}
