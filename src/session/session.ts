import { legacy } from './legacy.ts'
import { dropPermissions } from './permissions.ts'
import { dropToken, legacyToken, storeToken } from './token.ts'

/** The signed-in user, from `GET /vue-element-admin/user/info`. */
export interface UserInfo {
  id: number
  username: string
  name: string
  avatar: string
  introduction: string
  roles: string[]
  department: number | null
  /** Signed in with a password that another user has seen. */
  mustChangePassword: boolean
}

const usernameKey = 'username'
/** The session has been used, so the server answers more than the user's identity. */
const inUseKey = 'sessionInUse'
export const isInUse = (): boolean => localStorage.getItem(inUseKey) !== null

export async function signIn(username: string, password: string): Promise<void> {
  const name = username.trim()
  const { token: received } = await legacy.post<{ token: string }>('/vue-element-admin/user/login', {
    username: name,
    password,
  })
  storeToken(received)
  localStorage.setItem(usernameKey, name)
}

let current: Promise<UserInfo> | undefined
let isAhead = false

/** Requests the user while the code that needs the answer is still loading: the next `readUser` takes it. */
export function readUserAhead(): void {
  isAhead = true
  current = requestUser()
  // The caller that takes the answer reports the failure.
  current.catch(() => undefined)
}

export function readUser(): Promise<UserInfo> {
  if (!isAhead || !current) current = requestUser()
  isAhead = false
  return current
}

/** The answer to the last request. */
export const userRead = (): Promise<UserInfo> => current ?? readUser()

async function requestUser(): Promise<UserInfo> {
  const info = await legacy.get<UserInfo | null>('/vue-element-admin/user/info', { token: legacyToken() })
  if (!info) throw new Error('Verification failed, please Login again.')
  if (!Array.isArray(info.roles) || info.roles.length === 0) throw new Error('getInfo: roles must be a non-null array!')
  if (info.mustChangePassword) localStorage.removeItem(inUseKey)
  else localStorage.setItem(inUseKey, '1')
  return info
}

/** Removes the session from the browser; notifies the server without waiting for it. */
export function forget(): void {
  if (legacyToken()) void legacy.post('/logout', {}).catch(() => undefined)
  dropToken()
  dropPermissions()
  localStorage.removeItem(inUseKey)
}

export const loginRoute = '/login'
/** Whether this hash path is the sign-in page's. */
export const isLogin = (path: string): boolean => path.split('?', 1)[0] === loginRoute

/**
 * The target after sign-in: a route of this app, never another site. Browsers treat a backslash as a slash, and ignore
 * invisible characters.
 */
export function safeRedirect(wanted: string | null): string {
  return wanted && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(wanted) && !isLogin(wanted) ? wanted : '/'
}

/** The sign-in page, which leads back to the wanted hash path. */
export const loginPath = (wanted: string): string => `${loginRoute}?redirectUrl=${encodeURIComponent(wanted)}`
