/** The folder of the embedded PostgreSQL's socket: newly created, and closed to others. */
import { chmodSync, chownSync, existsSync, lstatSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Account, reachable } from './binaries.ts'

export const port = 5432
const prefix = 'formwork-'
/** Length of the random suffix. */
const random = 6
/** The longest path of a socket. */
const longest = 107

export const socketIn = (folder: string): string => join(folder, `.s.PGSQL.${port}`)

/** Nobody else can have created it: its name is random, and creating it fails if it exists. */
export function makeSocketFolder(account: Account): string {
  // The folder that systemd makes for a service is seen from outside, unlike its private /tmp: backups run beside it.
  const given = process.env.RUNTIME_DIRECTORY?.split(':') ?? []
  // A private temporary folder may be closed to the account.
  const place =
    [...given, tmpdir(), '/tmp', '/var/tmp'].find(
      (folder) =>
        existsSync(folder) &&
        reachable(folder, account) &&
        Buffer.byteLength(socketIn(join(folder, prefix + 'x'.repeat(random)))) <= longest,
    ) ?? '/tmp'
  const folder = mkdtempSync(join(place, prefix))
  chmodSync(folder, 0o700)
  if (account) chownSync(folder, account.uid, account.gid)
  checkSocketFolder(folder, account)
  return folder
}

/** @throws with a sentence for the operator if others could have written to it */
export function checkSocketFolder(folder: string, account: Account): void {
  const { uid, mode } = lstatSync(folder)
  const owner = account?.uid ?? process.getuid?.()
  if ((mode & 0o170000) !== 0o040000) throw new Error(`${folder} is no folder: remove it.`)
  if (uid !== owner) throw new Error(`${folder} belongs to user ${uid}, and the database runs as ${owner}: remove it.`)
  if (mode & 0o077) throw new Error(`${folder} is open to others: remove it, or chmod 700 ${folder}.`)
}

/** Removes the folder unless it is in use. */
export function leaveSocketFolder(folder: string | undefined): void {
  if (folder === undefined) return
  try {
    rmdirSync(folder)
  } catch {
    // Not empty, or gone.
  }
}

/** The same for the folder of a PostgreSQL that was killed and left its socket there. */
export function clearSocketFolder(folder: string | undefined, account: Account): void {
  if (folder === undefined || !basename(folder).startsWith(prefix)) return
  try {
    checkSocketFolder(folder, account)
    for (const file of [socketIn(folder), `${socketIn(folder)}.lock`]) rmSync(file, { force: true })
    rmdirSync(folder)
  } catch {
    // Gone, or not ours.
  }
}
