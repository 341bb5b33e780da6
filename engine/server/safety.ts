/** Protection settings of an operator. */
export interface Safety {
  /** The longest that a session lasts, however much it is used. */
  sessionHours: number
  /** How long a password set by another user can be used before its user must have changed it. */
  firstPasswordHours: number
  /** The most requests of a user at a time: a list uses two of the ten connections to the database. */
  requestsPerUser: number
  /** The most exports at a time, per user and for all. */
  exportsPerUser: number
  exportsAtOnce: number
  /** Megabytes that one user may upload within a day. */
  uploadMegabytes: number
}

export const usualSafety: Safety = {
  sessionHours: 24,
  firstPasswordHours: 72,
  requestsPerUser: 4,
  exportsPerUser: 2,
  exportsAtOnce: 6,
  uploadMegabytes: 5000,
}

const variables: Record<keyof Safety, string> = {
  sessionHours: 'SESSION_HOURS',
  firstPasswordHours: 'FIRST_PASSWORD_HOURS',
  requestsPerUser: 'REQUESTS_PER_USER',
  exportsPerUser: 'EXPORTS_PER_USER',
  exportsAtOnce: 'EXPORTS_AT_ONCE',
  uploadMegabytes: 'UPLOAD_MEGABYTES',
}

/** @throws Error if a variable is not a whole number above zero */
export function safetyOf(environment: Record<string, string | undefined>): Safety {
  const given = Object.entries(variables).flatMap(([name, variable]) => {
    const text = environment[variable]
    if (!text) return []
    if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${variable} is "${text}": it must be a whole number above 0.`)
    return [[name, Number(text)]]
  })
  return { ...usualSafety, ...(Object.fromEntries(given) as Partial<Safety>) }
}

/**
 * Which proxies' `X-Forwarded-For` to trust: none, this many, or those with these addresses. Trusting everybody would
 * let clients choose their address.
 * @throws Error if it is none of these
 */
export function trustedProxies(text: string | undefined): false | number | string {
  if (!text || text === '0' || text === 'false') return false
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  if (text.split(',').every((part) => /^(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/\d{1,3})?)$/i.test(part.trim())))
    return text
  throw new Error(
    `TRUST_PROXY is "${text}": it must be the number of proxies in front of the server, or their addresses with commas (10.0.0.5, 10.0.0.0/8, loopback).`,
  )
}
