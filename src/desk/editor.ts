import type { Place } from '../../engine/model/model.ts'

/** As editors and terminals read it. */
export const placeText = ({ file, line, column }: Place): string => `${file}:${line}:${column}`

/** Where the development server opens a place in the editor; nowhere else is there an editor to open. */
const editorPath = '/__schema'

/** Opens the developer's editor there. Undefined where the page does not come from a development server. */
export const openInEditor: ((place: Place) => void) | undefined = import.meta.env.DEV
  ? (place) => void fetch(`${editorPath}?${new URLSearchParams({ place: placeText(place) })}`)
  : undefined
