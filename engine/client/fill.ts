import { fillText } from '../model/fillText.ts'
import type { RecordData, Value } from '../model/model.ts'

/**
 * Fills `{id}` and `{customer.id}` from the record; undefined if one is missing. A reference on its own yields its id.
 */
export function fill(text: string, record: RecordData, encode: (value: string) => string = String): string | undefined {
  let whole = true
  const filled = fillText(text, (path) => {
    let value: Value | undefined = record as Record<string, Value>
    for (const key of path.split('.')) value = isMap(value) ? value[key] : undefined
    if (isMap(value)) value = value.id
    if (value === null || value === undefined || typeof value === 'object') whole = false
    return encode(String(value))
  })
  return whole ? filled : undefined
}

/** A link to a route with its parameters filled from the record. */
export const fillLink = (link: string, record: RecordData): string | undefined => fill(link, record, encodeURIComponent)

const isMap = (value: Value | undefined): value is { [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
