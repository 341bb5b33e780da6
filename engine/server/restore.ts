import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import type { Database } from './database.ts'
import { type DumpHeader, type DumpTotals, type TableHeader, dumpFormat } from './dump.ts'
import { isMakerGone, makerMark } from './leftovers.ts'
import { quote } from './quote.ts'

/**
 * Puts back what `dump` wrote: all of it, or nothing where anything is wrong.
 * @param replace also where there are tables or files already: they are removed.
 * @throws with a sentence for the operator
 */
export async function restore(
  database: Database,
  dataDir: string,
  file: string,
  { replace = false } = {},
): Promise<DumpTotals> {
  const staging = join(dataDir, `${stagingMark}${makerMark()}`)
  const client = await database.pool.connect()
  const run: Run = async (text, values) => client.query(text, values)
  let undoFiles = () => {}
  const totals: DumpTotals = { tables: 0, rows: 0, files: 0 }
  let header: DumpHeader | undefined
  let end: DumpTotals | undefined
  let insert = ''
  let path = ''

  const take = async (line: string) => {
    const content = line.slice(1)
    if (!header) {
      header = parseHeader(line)
      for (const { name, columns } of header.tables) {
        await run(
          `create table ${quote(name)} (${columns.map((column) => `${quote(column.name)} ${column.definition}`).join(', ')})`,
        )
        totals.tables++
      }
      return
    }
    switch (line[0]) {
      case 'T':
        insert = insertion(header.tables.find(({ name }) => name === JSON.parse(content))!)
        break
      case 'R':
        totals.rows += (await run(insert, [content])).rowCount!
        break
      case 'F':
        path = resolve(staging, JSON.parse(content))
        if (!path.startsWith(resolve(staging) + sep))
          throw new Error(`The backup names a file outside of the data folder: ${content}`)
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, '', { mode: 0o600 })
        totals.files++
        break
      case 'D':
        appendFileSync(path, Buffer.from(content, 'base64'))
        break
      case 'E':
        end = JSON.parse(content)
        break
      default:
        throw new Error(`The backup holds a line of an unknown kind: ${line[0]}`)
    }
  }

  try {
    await run('begin')
    await run(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0; set local search_path = public',
    )
    await clear(dataDir, replace, run)
    mkdirSync(staging, { recursive: true })
    await pipeline(createReadStream(file), createGunzip(), async (source) => {
      for await (const line of linesOf(source)) await take(line)
    })
    if (!header || !end || JSON.stringify(end) !== JSON.stringify(totals)) throw new Error('its end is missing')
    await finish(header.tables, database.trigram, run)
    // Marks the database as the restored one, for the process that follows if this one is killed.
    await run(`create table if not exists ${restoredTable} (folder text)`)
    await run(`insert into ${restoredTable} (folder) values ($1)`, [basename(staging)])
    undoFiles = swapFiles(staging, dataDir)
    await run('commit')
    rmSync(staging, { recursive: true, force: true })
    await run(`drop table ${restoredTable}`)
    return totals
  } catch (error) {
    // Once committed, nothing is undone.
    if (existsSync(staging)) undoFiles()
    await run('rollback')
    if (error instanceof RefusedError) throw error
    throw new Error(`${file} could not be restored, and nothing was changed: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    client.release()
    rmSync(staging, { recursive: true, force: true })
  }
}

const stagingMark = 'restored.'
const restoredTable = 'system_restored'

/**
 * Finishes restores that were killed: their files stay if the database was restored too, else the former ones come
 * back. Call at the start, before anything reads files.
 */
export async function finishRestores({ pool }: Database, dataDir: string): Promise<void> {
  const left = (existsSync(dataDir) ? readdirSync(dataDir) : []).filter(
    (name) => name.startsWith(stagingMark) && isMakerGone(`.${name.slice(stagingMark.length)}`),
  )
  const { rows: known } = await pool.query('select to_regclass($1) is not null as there', [`public.${restoredTable}`])
  const { rows } = known[0].there
    ? await pool.query<{ folder: string }>(`select folder from ${restoredTable}`)
    : { rows: [] }
  for (const name of left) {
    const staging = join(dataDir, name)
    const former = join(staging, '.old')
    const isRestored = rows.some(({ folder }) => folder === name)
    for (const entry of isRestored || !existsSync(former) ? [] : readdirSync(former)) {
      rmSync(join(dataDir, entry), { recursive: true, force: true })
      renameSync(join(former, entry), join(dataDir, entry))
    }
    rmSync(staging, { recursive: true, force: true })
  }
  if (known[0].there) await pool.query(`drop table ${restoredTable}`)
}

class RefusedError extends Error {}

function parseHeader(line: string): DumpHeader {
  const header = line.startsWith('H{') ? (JSON.parse(line.slice(1)) as DumpHeader) : undefined
  if (header?.format !== dumpFormat) throw new Error(`it is not a backup of this version (${dumpFormat})`)
  return header
}

type Run = (text: string, values?: unknown[]) => Promise<{ rows: { name: string }[]; rowCount: number | null }>

async function clear(dataDir: string, replace: boolean, run: Run): Promise<void> {
  const { rows } = await run("select tablename as name from pg_tables where schemaname = 'public' order by 1")
  const files = join(dataDir, 'files')
  if (!replace && (rows.length || (existsSync(files) && readdirSync(files).length))) {
    throw new RefusedError(
      `There is data already (tables: ${rows.length}). Restore into an empty database and data folder, ` +
        'or remove what is there by adding --replace.',
    )
  }
  if (rows.length) await run(`drop table ${rows.map(({ name }) => quote(name)).join(', ')} cascade`)
}

function insertion({ name, columns }: TableHeader): string {
  const stored = columns.filter((column) => !column.computed)
  return `insert into ${quote(name)} (${stored.map((column) => quote(column.name)).join(', ')}) overriding system value
    select ${stored.map(({ type }, index) => `(r->>${index})::${type}`).join(', ')} from jsonb_array_elements($1::jsonb) r`
}

/** After the rows: quicker, and foreign keys may point in circles. */
async function finish(tables: TableHeader[], trigram: boolean, run: Run): Promise<void> {
  const constrain = async (foreign: boolean) => {
    for (const { name, constraints } of tables) {
      for (const constraint of constraints.filter((constraint) => constraint.foreign === foreign)) {
        await run(`alter table ${quote(name)} add constraint ${quote(constraint.name)} ${constraint.definition}`)
      }
    }
  }
  await constrain(false)
  for (const { name, columns, indexes } of tables) {
    // Where the extension is missing here, the server does without as well.
    for (const index of indexes) if (trigram || !index.includes('gin_trgm_ops')) await run(index)
    for (const { name: column, sequence } of columns) {
      if (!sequence) continue
      await run('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
        quote(name),
        column,
        sequence.last,
        sequence.called,
      ])
    }
  }
  await constrain(true)
}

/**
 * Each entry of the staging folder takes the place of what the data folder has under its name. Returns how to undo it.
 */
function swapFiles(staging: string, dataDir: string): () => void {
  const old = join(staging, '.old')
  mkdirSync(old)
  mkdirSync(join(staging, 'files'), { recursive: true })
  const entries = readdirSync(staging).filter((entry) => entry !== '.old')
  const move = (entry: string, from: string, to: string) => {
    if (existsSync(join(from, entry))) renameSync(join(from, entry), join(to, entry))
  }
  for (const entry of entries) {
    move(entry, dataDir, old)
    move(entry, staging, dataDir)
  }
  return () => {
    for (const entry of entries) {
      move(entry, dataDir, staging)
      move(entry, old, dataDir)
    }
  }
}

async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  const pieces: string[] = []
  for await (const chunk of source) {
    const parts = decoder.write(chunk).split('\n')
    for (const part of parts.slice(0, -1)) {
      yield pieces.splice(0).join('') + part
    }
    pieces.push(parts.at(-1)!)
  }
}
