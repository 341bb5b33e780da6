import { md5 } from 'js-md5'

export const digest = (text: string): string => md5(text).toUpperCase()

/**
 * Non-object fields, sorted by name, written as `name` + `value` without separators between the secret twice; its MD5
 * in upper case (specification, section 7).
 */
export function sign(fields: Record<string, unknown>, secret: string): string {
  const text = Object.keys(fields)
    .sort()
    .filter((name) => fields[name] !== undefined && typeof fields[name] !== 'object')
    .map((name) => `${name}${String(fields[name])}`)
    .join('')
  return digest(secret + text + secret)
}
