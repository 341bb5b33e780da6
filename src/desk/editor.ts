/** A place in a schema file, as issues and the inspector name it; from 1. */
export interface FilePlace { file: string; line: number; column: number }

export const placeText = ({ file, line, column }: FilePlace): string => `${file}:${line}:${column}`

/** Where the development server opens a place in the editor; nowhere else is there an editor to open. */
const editorPath = '/__schema'

/** Opens the developer's editor there. Undefined where the page does not come from a development server. */
export const openInEditor: ((place: FilePlace) => void) | undefined = import.meta.env.DEV
  ? (place) => void fetch(`${editorPath}?${new URLSearchParams({ place: placeText(place) })}`)
  : undefined
