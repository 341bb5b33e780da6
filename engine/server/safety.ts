/** What an operator may set of how the server protects itself. */
export interface Safety {
  /** So long a session lasts at most, however much it is used. */
  sessionHours: number
  /** So long a password that another has given opens anything, unless its user changes it. */
  firstPasswordHours: number
  /** Files that are made for one user at a time, and for all. */
  exportsPerUser: number
  exportsAtOnce: number
}

export const usualSafety: Safety = { sessionHours: 24, firstPasswordHours: 72, exportsPerUser: 2, exportsAtOnce: 6 }

const variables: Record<keyof Safety, string> = {
  sessionHours: 'SESSION_HOURS',
  firstPasswordHours: 'FIRST_PASSWORD_HOURS',
  exportsPerUser: 'EXPORTS_PER_USER',
  exportsAtOnce: 'EXPORTS_AT_ONCE',
}

/** @throws where a variable is no whole number above zero. */
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
 * Whose word about the address of a client is taken (`X-Forwarded-For`): nobody's, of so many proxies in front, or of
 * those with these addresses. Everybody's would let each client choose its own.
 * @throws where it is none of these.
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
