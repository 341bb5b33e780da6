const storageKey = 'MenuPermissions'

/**
 * What the signed-in user may do, kept for the session (specification, sections 3 and 6). Undefined until it was read.
 */
export function storedPermissions(): ReadonlySet<string> | undefined {
  const stored = sessionStorage.getItem(storageKey)
  return stored === null ? undefined : new Set(JSON.parse(stored) as string[])
}
export const storePermissions = (permissions: string[]): void =>
  sessionStorage.setItem(storageKey, JSON.stringify(permissions))
export const dropPermissions = (): void => sessionStorage.removeItem(storageKey)
