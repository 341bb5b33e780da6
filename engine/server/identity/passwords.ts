import { createHash, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { Turnstile } from '../turnstile.ts'

/** About 100 ms and 32 MB, off the main thread. Each hash states its own cost, so that tests can hash for less. */
export const passwordCost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const keyLength = 32

/** Half of libuv's four threads, which file access shares, and a bound on memory. */
const turns = new Turnstile({ atOnce: 2, waiting: 60 })

const derive = (text: string, salt: Buffer, { N, r, p } = passwordCost) =>
  turns.run(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(text, salt, keyLength, { N, r, p, maxmem: passwordCost.maxmem }, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )

/** Uppercase MD5 hex: the form in which `/auth/change-password` sends a password, and therefore what is hashed. */
export const md5 = (password: string) => createHash('md5').update(password, 'utf8').digest('hex').toUpperCase()

/** @param digest a password's uppercase MD5 hex. @returns `scrypt$N$r$p$salt$key`. */
export async function hashPassword(digest: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(digest, salt)
  const { N, r, p } = passwordCost
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$')
}

/** The hash of an unknown text, verified if there is no such user, so that the answer takes as long. */
const decoy = hashPassword(randomBytes(16).toString('hex'))

/** Whether this is the password. If `stored` is absent, it takes as long and returns false. */
export async function verifyPassword(digest: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt, key] = (stored ?? (await decoy)).split('$')
  const wanted = Buffer.from(key, 'base64')
  const found = await derive(digest, Buffer.from(salt, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    maxmem: passwordCost.maxmem,
  })
  return timingSafeEqual(found, wanted) && stored !== null && stored !== undefined
}

/** 8 to 20 visible characters, including at least two of letters, digits and symbols. */
export function isStrongPassword(password: string): boolean {
  if (password.length < 8 || password.length > 20 || !/^[\x21-\x7e]+$/.test(password)) return false
  return [/[A-Za-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length >= 2
}

/** 12 characters without look-alikes; always strong. */
export function randomPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ'
  const pick = (from: string) => from[randomInt(from.length)]
  const rest = Array.from({ length: 10 }, () => pick(`${letters}23456789`)).join('')
  return `${pick(letters)}${rest}${pick('23456789')}`
}
