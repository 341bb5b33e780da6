const storageKey = 'MenuPermissions'

/** Each button asks: the text is long, and is read once. */
let read: { text: string; permissions: ReadonlySet<string> } | undefined

/**
 * What the signed-in user may do, kept for the session (specification, sections 3 and 6). Undefined until it was read.
 */
export function storedPermissions(): ReadonlySet<string> | undefined {
  const text = sessionStorage.getItem(storageKey)
  if (text === null) return undefined
  if (read?.text !== text) read = { text, permissions: new Set(JSON.parse(text) as string[]) }
  return read.permissions
}
export const storePermissions = (permissions: string[]): void =>
  sessionStorage.setItem(storageKey, JSON.stringify(permissions))
export const dropPermissions = (): void => sessionStorage.removeItem(storageKey)
