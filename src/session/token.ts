const storageKey = 'token'
/** The older client's cookie. */
export const tokenCookie = 'Admin-Token'

/** The session's token, in local storage (specification, section 9). */
export const token = (): string => localStorage.getItem(storageKey) ?? ''

/**
 * The older client's token: that of its cookie, if no newer one is stored. Only read here: no server accepts the
 * cookie.
 */
export const legacyToken = (): string => token() || cookieToken()

export function storeToken(value: string): void {
  localStorage.setItem(storageKey, value)
  writeCookie(encodeURIComponent(value))
}

export function dropToken(): void {
  localStorage.removeItem(storageKey)
  writeCookie('', 0)
}

function cookieToken(): string {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${tokenCookie}=`))
  return found ? decodeURIComponent(found.slice(tokenCookie.length + 1)) : ''
}

/** `age` in seconds; without one it expires with the browser's session. */
function writeCookie(value: string, age?: number): void {
  const rest = [
    'path=/',
    'SameSite=Strict',
    ...(age === undefined ? [] : [`max-age=${age}`]),
    ...(location.protocol === 'https:' ? ['Secure'] : []),
  ]
  document.cookie = [`${tokenCookie}=${value}`, ...rest].join('; ')
}
