import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import type { Database } from './database.ts'
import { type DumpHeader, type DumpTotals, type TableHeader, dumpFormat } from './dump.ts'
import { quote } from './quote.ts'
import { type FileStore, filesPrefix, type Replacement } from '../files/FileStore.ts'
import { finishReplacements } from '../files/folderReplacement.ts'

export interface Restoring {
  /** The backup's name in messages to the operator. */
  from: string
  content: Readable
  /** Removes existing tables and files instead of refusing. */
  replace?: boolean
}

/**
 * Restores everything that `dump` wrote, or nothing if anything is wrong.
 * @throws with a sentence for the operator
 */
export async function restore(
  database: Database,
  files: FileStore,
  { from, content, replace = false }: Restoring,
): Promise<DumpTotals> {
  const client = await database.pool.connect()
  const run: Run = async (text, values) => client.query(text, values)
  let replacement: Replacement | undefined
  let isCommitted = false
  try {
    await run('begin')
    await run(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0; set local search_path = public',
    )
    await clear(files, replace, run)
    replacement = files.replacement()
    const lines = createLineReader(run, replacement)
    await pipeline(content, createGunzip(), async (source) => {
      for await (const line of linesOf(source)) await lines.take(line)
    })
    const { tables, totals } = lines.whole()
    await finish(tables, database.trigram, run)
    await replacement.place(async (name) => {
      // The mark tells the next process that the database is the restored one, should this process be killed here.
      await run(`create table if not exists ${restoredTable} (folder text)`)
      await run(`insert into ${restoredTable} (folder) values ($1)`, [name])
    })
    await run('commit')
    isCommitted = true
    await replacement.keep()
    await run(`drop table if exists ${restoredTable}`)
    return totals
  } catch (error) {
    if (isCommitted)
      throw because(error, (reason) => `${from} is restored, but not all former files are removed: ${reason}`)
    await run('rollback')
    const { message: isLeft } = await undone(replacement)
    if (error instanceof RefusedError) throw error
    if (isLeft !== undefined)
      throw because(
        error,
        (reason) => `${from} could not be restored: ${reason}. Its files could not be removed: ${isLeft}`,
      )
    throw because(error, (reason) => `${from} could not be restored, and nothing was changed: ${reason}`)
  } finally {
    content.destroy()
    client.release()
  }
}

const because = (error: unknown, text: (reason: string) => string): Error =>
  new Error(text((error as Error).message), { cause: error })

/** Applies each line of a dump; its first letter gives its type. */
function createLineReader(run: Run, replacement: Replacement) {
  const totals: DumpTotals = { tables: 0, rows: 0, files: 0 }
  let header: DumpHeader | undefined
  let end: DumpTotals | undefined
  let insert = ''

  async function begin(line: string): Promise<DumpHeader> {
    const begun = parseHeader(line)
    for (const { name, columns } of begun.tables) {
      const definitions = columns.map((column) => `${quote(column.name)} ${column.definition}`)
      await run(`create table ${quote(name)} (${definitions.join(', ')})`)
      totals.tables++
    }
    return begun
  }

  return {
    async take(line: string): Promise<void> {
      const rest = line.slice(1)
      if (!header) {
        header = await begin(line)
        return
      }
      switch (line[0]) {
        case 'T':
          insert = insertion(header.tables.find(({ name }) => name === JSON.parse(rest))!)
          break
        case 'R':
          totals.rows += (await run(insert, [rest])).rowCount!
          break
        case 'F':
          await replacement.begin(JSON.parse(rest))
          totals.files++
          break
        case 'D':
          await replacement.add(Buffer.from(rest, 'base64'))
          break
        case 'E':
          end = JSON.parse(rest)
          break
        default:
          throw new Error(`The backup holds a line of an unknown kind: ${line[0]}`)
      }
    },
    /** @throws if the end of the dump is missing or its counts differ */
    whole(): { tables: TableHeader[]; totals: DumpTotals } {
      if (!header || !end || JSON.stringify(end) !== JSON.stringify(totals)) throw new Error('its end is missing')
      return { tables: header.tables, totals }
    },
  }
}

const restoredTable = 'system_restored'

/**
 * Finishes restores that were killed: the new files stay if the database was restored too, or else the former ones come
 * back. Call it at the start, before anything reads files.
 */
export async function finishRestores({ pool }: Database, dataDir: string): Promise<void> {
  const { rows: known } = await pool.query('select to_regclass($1) is not null as there', [`public.${restoredTable}`])
  const { rows } = known[0].there
    ? await pool.query<{ folder: string }>(`select folder from ${restoredTable}`)
    : { rows: [] }
  finishReplacements(dataDir, (mark) => rows.some(({ folder }) => folder === mark))
  if (known[0].there) await pool.query(`drop table ${restoredTable}`)
}

const undone = async (replacement: Replacement | undefined): Promise<{ message?: string }> => {
  try {
    await replacement?.undo()
    return {}
  } catch (error) {
    return error as Error
  }
}

class RefusedError extends Error {}

function parseHeader(line: string): DumpHeader {
  const header = line.startsWith('H{') ? (JSON.parse(line.slice(1)) as DumpHeader) : undefined
  if (header?.format !== dumpFormat) throw new Error(`it is not a backup of this version (${dumpFormat})`)
  return header
}

type Run = (text: string, values?: unknown[]) => Promise<{ rows: { name: string }[]; rowCount: number | null }>

async function clear(files: FileStore, replace: boolean, run: Run): Promise<void> {
  const { rows } = await run("select tablename as name from pg_tables where schemaname = 'public' order by 1")
  if (!replace && (rows.length || (await holdsFiles(files)))) {
    throw new RefusedError(
      `There is data already (tables: ${rows.length}). Restore where there are neither tables nor files, ` +
        'or remove what is there by adding --replace.',
    )
  }
  if (rows.length) await run(`drop table ${rows.map(({ name }) => quote(name)).join(', ')} cascade`)
}

async function holdsFiles(files: FileStore): Promise<boolean> {
  for await (const { name } of files.names()) if (name.startsWith(filesPrefix)) return true
  return false
}

function insertion({ name, columns }: TableHeader): string {
  const stored = columns.filter((column) => !column.computed)
  return `insert into ${quote(name)} (${stored.map((column) => quote(column.name)).join(', ')}) overriding system value
    select ${stored.map(({ type }, index) => `(r->>${index})::${type}`).join(', ')} from jsonb_array_elements($1::jsonb) r`
}

/** Runs after the rows, because that is faster and foreign keys may form cycles. */
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
    // The server works without these indexes if the extension is missing.
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
