/** `{{person.name}}` in a text to be printed. */
const placeholder = /\{\{\s*([A-Za-z.]+)\s*\}\}/g

/** The names between the braces, each once, in order. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name]) => name)),
]

/** Fills in placeholders that have a value, as text in HTML; the others stay visible. */
export const fillPlaceholders = (html: string, values: Readonly<Record<string, string | null>>): string =>
  html.replace(placeholder, (whole, name: string) =>
    (values[name] ?? null) === null ? whole : escapeHtml(values[name]!),
  )

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character])
