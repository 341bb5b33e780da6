/** `{{person.name}}` in a text that is printed. */
const placeholder = /\{\{\s*([A-Za-z.]+)\s*\}\}/g

/** The names between the braces, each once, in their order. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name]) => name)),
]

/** What has a value is filled in, as text in HTML; what has none stays as it is, to be seen. */
export const fillPlaceholders = (html: string, values: Readonly<Record<string, string | null>>): string =>
  html.replace(placeholder, (whole, name: string) =>
    (values[name] ?? null) === null ? whole : escapeHtml(values[name]!),
  )

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character])
