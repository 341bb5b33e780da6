/**
 * Access to the embedded PostgreSQL: two passwords in the data folder, readable only by its owner. The launcher
 * connects as superuser, the product as a user who owns the database and nothing else.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Account } from './binaries.ts'
import type { Connection } from './Connection.ts'

/** The user who created the cluster, which PostgreSQL requires to be a superuser. */
export const superuser = 'formwork'
/** The product's user. */
export const server = 'formwork_server'
/** The database of a data folder. */
export const database = 'postgres'

export interface Passwords {
  superuser: string
  server: string
}

const passwordFile = (directory: string) => join(dirname(directory), 'postgres.password')
const rulesFile = (directory: string) => join(directory, 'pg_hba.conf')
const rule = (method: string) =>
  `# Written by the server at its start: see clusterAccess.ts.\nlocal all all ${method}\n`
const closed = rule('scram-sha-256')

/** The passwords of this data folder, generated on the first call. */
export function passwordsOf(directory: string): Passwords {
  const path = passwordFile(directory)
  if (!existsSync(path)) {
    const made: Passwords = { superuser: randomBytes(24).toString('hex'), server: randomBytes(24).toString('hex') }
    // Created atomically, so that two processes starting at once use the same.
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, `${JSON.stringify(made)}\n`, { mode: 0o600 })
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
  }
  if (statSync(path).mode & 0o077) throw new Error(`${path} can be read by others: chmod 600 ${path}`)
  return JSON.parse(readFileSync(path, 'utf8')) as Passwords
}

/** Whether a password is required: data folders of earlier versions admit anyone who reaches the socket. */
export const isClosed = (directory: string): boolean =>
  existsSync(rulesFile(directory)) && readFileSync(rulesFile(directory), 'utf8') === closed

/**
 * After the passwords were lost: opens the cluster to anyone who reaches the socket, whose folder is closed to others,
 * until it has new ones.
 */
export const openOnce = (directory: string, account: Account): void => writeRules(directory, account, rule('trust'))

/** The folder is the account's: a link that it left there must lead nowhere, because this process may be root. */
function writeRules(directory: string, account: Account, text: string): void {
  const draft = `${rulesFile(directory)}.new`
  rmSync(draft, { recursive: true, force: true })
  const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  try {
    writeFileSync(file, text)
    if (account) fchownSync(file, account.uid, account.gid)
  } finally {
    closeSync(file)
  }
  renameSync(draft, rulesFile(directory))
}

/**
 * Sets both passwords, makes the product's user owner of the data, then closes access without a password. Can be
 * repeated at any time, so that a process killed halfway is followed by one that starts over.
 * @param connection the superuser's
 */
export async function closeDoor(
  connection: Connection,
  directory: string,
  account: Account,
  passwords: Passwords,
): Promise<void> {
  await connection.query('begin')
  const [known] = await connection.query('select 1 from pg_roles where rolname = $1', [server])
  if (!known) await connection.query(`create role ${server}`)
  await connection.query(
    `alter role ${server} login nosuperuser nocreaterole noreplication nobypassrls password '${passwords.server}'`,
  )
  await connection.query(`alter role ${superuser} password '${passwords.superuser}'`)
  await connection.query(`alter database ${database} owner to ${server}`)
  await connection.query(handOver)
  await connection.query('commit')
  writeRules(directory, account, closed)
  await connection.query('select pg_reload_conf()')
}

/**
 * Transfers what the superuser created while the product still connected as it. Sequences go with their tables,
 * extensions stay.
 */
const handOver = `do $$ declare one record; begin
  for one in select c.relname, c.relkind from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
    and pg_get_userbyid(c.relowner) = '${superuser}'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e') and (c.relkind = 'S' or d.deptype = 'e'))
  loop execute format('alter %s public.%I owner to ${server}',
    case one.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, one.relname); end loop;
end $$`
