import { createWriteStream, openAsBlob, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { writeXlsxStream } from 'hucre/xlsx'
import type { Database } from '../../../engine/server/postgres/database.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { mostCounted } from '../../../engine/screens/list/listState.ts'
import { usccCheck } from '../../demo/identifiers.ts'
import type { Result } from './result.ts'
import { percentile } from './result.ts'
import type { BenchServer } from './server.ts'
import { withoutForeignKeys } from './withoutForeignKeys.ts'

type Pool = Database['pool']

/** The twenty columns that are filled in: header → cell of row `n`. */
const columns: [string, (n: number) => string | number][] = [
  ['客户名称', (n) => `批量客户${n}`],
  ['企业名称', (n) => `批量客户（演示）有限公司${n}`],
  ['客户类型', () => '企业'],
  ['统一社会信用代码', code],
  ['客户账号', (n) => `bulk${n}`],
  ['所在地区', () => '江苏省/苏州市/吴中区'],
  ['注册地址', (n) => `演示路${n}号`],
  ['开票类型', () => '数电普通发票'],
  ['收票邮箱', (n) => `fapiao${n}@bulk.example.com`],
  ['收件人', () => '周演'],
  ['收件人手机', (n) => `154${String(n).padStart(8, '0')}`],
  ['收件地址', (n) => `苏州市吴中区演示路${n}号2楼`],
  ['发票邮寄地址', () => '同上'],
  ['客服专员账号', () => 'support'],
  ['业务员账号', () => 'sales'],
  ['服务机构编号', () => 'J001'],
  ['服务类型', () => '劳务派遣、社保公积金代理'],
  ['付款条件', () => '先款后付'],
  ['约定到款日', () => 12],
  ['出账日', () => 10],
]

function code(n: number): string {
  const body = `91990101MB${String(n).padStart(7, '0')}`
  return body + usccCheck(body)
}

/**
 * A file of this many customers is checked and written while a user reads the list, and then the imported customers are
 * exported. The writing is compared with the bare statement that it needs.
 */
export async function measureImports(server: BenchServer, pool: Pool, folder: string, rows: number): Promise<Result[]> {
  const file = path.join(folder, 'import.xlsx')
  await writeFile(file, rows)
  const batch = await upload(server, file)
  const watch = watcher(server)
  const checking = await until(server, batch, 'checked')
  await post(server, '/customer/customerImport/write', { id: batch })
  const writing = await until(server, batch, 'completed')
  const meanwhile = await watch.end()
  const imported = await idsOfImported(pool)
  const bare = await bareInsert(pool, imported)
  const exporting = watcher(server)
  const started = performance.now()
  const bytes = await download(server, `/customer/export?filters=${encodeURIComponent(JSON.stringify(importedOnes))}`)
  const exported = performance.now() - started
  const afterwards = await exporting.end()
  const {
    rows: [{ count }],
  } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from customer where "registrationMethod" = 'import' and "deletedAt" is null`,
  )
  await removeImported(pool, imported)
  const each = (milliseconds: number, rows: number) => milliseconds / rows
  const named = (what: string, milliseconds: number, rows: number) =>
    `${what}, ${rows.toLocaleString('en')} rows: ${Math.round((rows / milliseconds) * 1000)} a second`
  return [
    { name: named('Import: read and check × 20 columns', checking, rows), unit: 'ms', ours: each(checking, rows) },
    {
      name: named('Import: write', writing, rows),
      unit: 'ms',
      ours: each(writing, rows),
      yardstick: { name: 'bare insert', value: each(bare, rows) },
    },
    { name: named('Export', exported, count), unit: 'ms', ours: each(exported, count), samples: { bytes } },
    { name: 'Import: memory of the server at most', unit: 'MB', ours: meanwhile.memory, aim: { value: 700 } },
    { name: 'Export: memory of the server at most', unit: 'MB', ours: afterwards.memory, aim: { value: 700 } },
    { name: 'List while a file is imported: p95', unit: 'ms', ours: meanwhile.p95, aim: { value: 1000 } },
    { name: 'List while an export is sent: p95', unit: 'ms', ours: afterwards.p95, aim: { value: 1000 } },
  ]
}

/** Only the imported ones, because all customers may exceed the limit of an export. */
const importedOnes = { registrationMethod: { in: ['import'] } }

async function writeFile(file: string, rows: number): Promise<void> {
  const lines = function* () {
    for (let n = 1; n <= rows; n++) yield columns.map(([, cell]) => cell(n))
  }
  const sheet = writeXlsxStream(lines(), { name: 'Data', columns: columns.map(([header]) => ({ header })) })
  await pipeline(Readable.fromWeb(sheet as ReadableStream), createWriteStream(file))
}

async function upload(server: BenchServer, file: string): Promise<number> {
  const form = new FormData()
  form.append('file', await openAsBlob(file), 'import.xlsx')
  form.append('json', '{"file_type":0}')
  const answer = await fetch(`${server.url}/api/common/upload`, {
    method: 'POST',
    headers: { token: server.token },
    body: form,
  })
  const { result } = (await answer.json()) as { result: object }
  return (
    await post(server, '/customer/customerImport/create', { values: { file: [{ ...result, status: 'success' }] } })
  ).id as number
}

async function post({ url, token }: BenchServer, address: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api${address}`, {
    method: 'POST',
    headers: { token, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const {
    code: status,
    message,
    result,
  } = (await answer.json()) as { code: number; message: string; result: Record<string, unknown> }
  if (status !== 1) throw new Error(`${address}: ${message}`)
  return result
}

/** Milliseconds until the batch reaches that state. */
async function until({ url, token }: BenchServer, id: number, status: string): Promise<number> {
  const started = performance.now()
  for (;;) {
    const { result } = (await (
      await fetch(`${url}/api/customer/customerImport/detail?id=${id}`, { headers: { token } })
    ).json()) as { result: RecordData }
    if (result.status === status) return performance.now() - started
    if (result.status !== 'processing')
      throw new Error(`The import is ${String(result.status)}: ${JSON.stringify(result.failReason)}`)
    await delay(200)
  }
}

/** Four times a second, requests a page and reads the server's memory, which is 0 if the system does not report it. */
function watcher({ url, token, pid }: BenchServer): { end(): Promise<{ p95: number; memory: number }> } {
  const times: number[] = []
  let memory = 0
  let ended = false
  const running = (async () => {
    while (!ended) {
      const started = performance.now()
      await (
        await fetch(`${url}/api/customer/list?page=1&size=20&sort=-submissionTime&countTo=${mostCounted}`, {
          headers: { token },
        })
      ).arrayBuffer()
      times.push(performance.now() - started)
      memory = Math.max(memory, memoryOf(pid))
      await delay(250)
    }
  })()
  return {
    async end() {
      ended = true
      await running
      return { p95: percentile(times, 0.95), memory }
    },
  }
}

function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

interface Ids {
  low: number
  high: number
}

async function idsOfImported(pool: Pool): Promise<Ids> {
  const { rows } = await pool.query<Ids>(
    `select min(id) as low, max(id) as high from customer where "registrationMethod" = 'import' and name like '批量客户%'`,
  )
  return rows[0]
}

/** Later measurements use the requested number of customers. */
async function removeImported(pool: Pool, { low, high }: Ids): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const read = async <T>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as T[]
    await withoutForeignKeys(read, ['customer'], async () => {
      for (const table of ['customerContact', 'customerApproval'])
        await client.query(`delete from "${table}" where customer between $1 and $2`, [low, high])
      await client.query('delete from "customerImportRow" where target between $1 and $2', [low, high])
      await client.query('delete from customer where id between $1 and $2', [low, high])
    })
    await client.query('vacuum (analyze) customer, "customerContact", "customerApproval"')
  } finally {
    client.release(true)
  }
}

/** The same customers into a table with the same indexes, five hundred at a time. */
async function bareInsert(pool: Pool, { low, high }: Ids): Promise<number> {
  await pool.query('create table bench_import (like customer including all)')
  const started = performance.now()
  for (let from = low; from <= high; from += 500) {
    await pool.query('insert into bench_import select * from customer where id >= $1 and id < $2', [from, from + 500])
  }
  const time = performance.now() - started
  await pool.query('drop table bench_import')
  return time
}

async function download({ url, token }: BenchServer, address: string): Promise<number> {
  const answer = await fetch(`${url}/api${address}`, { headers: { token, language: 'zh-CN' } })
  if (answer.headers.get('content-type')?.startsWith('application/json')) throw new Error(await answer.text())
  let bytes = 0
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
  return bytes
}
