import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { textIn } from '../model/language.ts'
import type { Dictionary, FileValue, ScreenBundle } from '../model/model.ts'
import { useEngineLists } from './EngineProvider.tsx'
import { useClient } from './frame.ts'
import { useInspectedScreen } from './inspected.ts'
import { useOptions } from './records.ts'
import { EngineReact } from './view.ts'
import type { EngineContext } from './view.ts'

/** Provides the engine context for the widgets of one screen. */
export function ScreenEngine({ bundle, children }: { bundle: ScreenBundle; children: ReactNode }) {
  const { request, language } = useClient()
  const { widgets, widgetViews } = useEngineLists()
  const options = useOptions()
  const engine = useMemo<EngineContext>(
    () => ({
      language,
      text: (label) => textIn(label, language),
      dictionary: (name) => bundle.dictionaries[name] ?? unknownDictionary(name),
      now: request.now,
      widgets,
      views: widgetViews,
      entity: (name) => bundle.entities[name],
      settings: bundle.settings,
      options: (entity, query) => {
        const endpoint = bundle.entities[entity]?.endpoint
        if (endpoint !== undefined) return options(endpoint, query)
        return Promise.reject(new Error(`The screen ${bundle.plan.name} does not carry the entity ${entity}`))
      },
      upload: async (file, onProgress) => {
        const stored = await request.upload<Partial<FileValue> & { url: string }>(file, 0, onProgress)
        return { name: file.name, size: file.size, ...stored, status: 'success' }
      },
    }),
    [bundle, language, request, widgets, widgetViews, options],
  )
  const place = useInspectedScreen(bundle, engine)
  return (
    <EngineReact.Provider value={engine}>
      <div className="screen-place" {...place}>
        {children}
      </div>
    </EngineReact.Provider>
  )
}

/** Values that are no longer in their dictionary are shown as they are. */
const unknownDictionary = (name: string): Dictionary => ({
  name,
  label: { cn: name, en: name },
  choices: [],
  mayGrow: false,
})
