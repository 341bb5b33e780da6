const storageKey = 'token'

/** The session's token, in local storage (specification, section 9). */
export const token = (): string => localStorage.getItem(storageKey) ?? ''
export const storeToken = (value: string): void => localStorage.setItem(storageKey, value)
export const dropToken = (): void => localStorage.removeItem(storageKey)
