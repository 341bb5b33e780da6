import type { Place } from '../../engine/model/model.ts'

/** In the format of editors and terminals. */
export const placeText = ({ file, line, column }: Place): string => `${file}:${line}:${column}`

/** Where the development server opens a position in the editor. */
const editorPath = '/__schema'

/** Opens a position in the developer's editor. Undefined if the page does not come from a development server. */
export const openInEditor: ((place: Place) => void) | undefined = import.meta.env.DEV
  ? (place) => void fetch(`${editorPath}?${new URLSearchParams({ place: placeText(place) })}`)
  : undefined
