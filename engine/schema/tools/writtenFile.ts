import type { SourceText } from '../reading/SourceFile.ts'

/** Formatted as people write it: short values stay on one line. */
export const writtenFile = (path: string, data: object): SourceText => ({ path, text: `${written(data, '')}\n` })

const shortest = 100
export function written(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const items = Array.isArray(value)
    ? value.map((item) => written(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${written(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const line = Array.isArray(value) ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`
  if ((indent !== '' && line.length < shortest && !line.includes('\n')) || !items.length)
    return items.length ? line : `${open}${close}`
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`
}
