const storageKey = 'MenuPermissions'

/** Every button checks it, so the long text is parsed only once. */
let read: { text: string; permissions: ReadonlySet<string> } | undefined

/** The signed-in user's permissions, stored for the session (specification, sections 3 and 6). Undefined until read. */
export function storedPermissions(): ReadonlySet<string> | undefined {
  const text = sessionStorage.getItem(storageKey)
  if (text === null) return undefined
  if (read?.text !== text) read = { text, permissions: new Set(JSON.parse(text) as string[]) }
  return read.permissions
}
export const storePermissions = (permissions: string[]): void =>
  sessionStorage.setItem(storageKey, JSON.stringify(permissions))
export const dropPermissions = (): void => sessionStorage.removeItem(storageKey)
