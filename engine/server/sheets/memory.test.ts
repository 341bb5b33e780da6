import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { text as textOf } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { book } from './books.examples.ts'
import { zipParts } from './zipParts.ts'
import { isLong } from '../../../tests/long.ts'

/** Half of what the cells of 100,000 rows take. */
const heap = 64
const peak = 320
let home: string
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'formwork-memory-'))
})
afterAll(() => rmSync(home, { recursive: true }))

/** Runs a program on a small heap; returns its result and its peak memory in megabytes. */
async function measured(program: string): Promise<{ result: unknown; megabytes: number }> {
  const modules = ['readSheet', 'writeFailures', 'columns.examples'].map(
    (name) => `...await import(${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, `${name}.ts`)).href)})`,
  )
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${heap}`,
      // Newer versions of Node give young objects more room.
      '--max-semi-space-size=16',
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      `
    import { createReadStream, existsSync, readFileSync } from 'node:fs'
    const { openSheet, writeFailures, exampleTemplate } = { ${modules.join(', ')} }
    const result = await (async () => { ${program} })()
    // On Linux a process counts what the one that started it took as its own most; its state does not.
    const own = existsSync('/proc/self/status') && /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
    console.log(JSON.stringify({ result, megabytes: (own ? Number(own[1]) : process.resourceUsage().maxRSS) / 1024 }))
  `,
    ],
    { cwd: path.resolve(import.meta.dirname, '../../..'), env: { ...process.env, NODE_OPTIONS: '' } },
  )
  const [output, problems] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  if (output === '') throw new Error(problems)
  return JSON.parse(output)
}

/** A workbook whose rows are generated while it is written. */
async function workbook(
  name: string,
  count: number,
  row: (number: number) => string,
  more?: Record<string, string[]>,
): Promise<string> {
  const file = path.join(home, name)
  const rows = function* () {
    let piece = ''
    for (let number = 1; number <= count; number++) {
      piece += row(number)
      if (number % 1000 !== 0 && number !== count) continue
      yield piece
      piece = ''
    }
  }
  const parts = Object.entries(book(rows(), { more })).map(([part, content]) => ({ name: part, content }))
  await pipeline(zipParts(parts), createWriteStream(file))
  return file
}

const count = (file: string, each = '') => `
  const sheet = await openSheet(createReadStream(${JSON.stringify(file)}))
  let rows = 0
  for await (const row of sheet.rows()) { rows++; ${each} }
  await sheet.close()
  return rows`

describe('memory', () => {
  it.skipIf(!isLong)('does not grow with a million formatted but empty rows', async () => {
    const file = await workbook('empty.xlsx', 1_000_000, (number) =>
      number === 7
        ? '<row r="7"><c r="A7"><v>1</v></c></row>'
        : `<row r="${number}" s="1" customFormat="1" ht="15"><c r="A${number}" s="1"/><c r="B${number}" s="1"/></row>`,
    )
    const { result, megabytes } = await measured(count(file))
    expect(result).toBe(1)
    expect(megabytes).toBeLessThan(peak)
  })

  it('does not grow with the rows, however slowly they are read', async () => {
    const many = isLong ? 100_000 : 60_000
    const cells = Array.from({ length: 20 }, (_, column) => String.fromCharCode(65 + column))
    const file = await workbook(
      'long.xlsx',
      many,
      (number) =>
        `<row r="${number}">${cells.map((letter) => `<c r="${letter}${number}" t="inlineStr"><is><t>客户名称${number}-${letter}</t></is></c>`).join('')}</row>`,
    )
    const { result, megabytes } = await measured(
      count(file, 'if (rows % 100 === 0) await new Promise((resolve) => setImmediate(resolve))'),
    )
    expect(result).toBe(many)
    expect(megabytes).toBeLessThan(peak)
  })

  it.skipIf(!isLong)('stores a million different shared texts outside the heap', async () => {
    const texts = Array.from({ length: 1_000_000 }, (_, index) => `<si><t>客户${index}</t></si>`).join('')
    const file = await workbook(
      'texts.xlsx',
      1000,
      (number) => `<row r="${number}"><c r="A${number}" t="s"><v>${number * 999}</v></c></row>`,
      { 'xl/sharedStrings.xml': [`<sst>${texts}</sst>`] },
    )
    const { result, megabytes } = await measured(
      count(file, 'if (row.cells[0] !== "客户" + row.number * 999) throw new Error(row.cells[0])'),
    )
    expect(result).toBe(1000)
    expect(megabytes).toBeLessThan(peak)
  })

  it.skipIf(!isLong)('does not grow with failed rows', async () => {
    const { result, megabytes } = await measured(`
      async function* rows() {
        const problems = [{ column: 'amount', message: 'is no amount' }]
        for (let number = 1; number <= ${isLong ? 100_000 : 60_000}; number++) {
          const texts = { name: 'name ' + number, creditCode: '9' + number, account: 'account ' + Math.sin(number) }
          yield { number, cells: { ...texts, amount: 'x' }, problems }
        }
      }
      let bytes = 0
      for await (const chunk of writeFailures({ ...exampleTemplate, rows: rows() })) bytes += chunk.length
      return bytes`)
    expect(result).toBeGreaterThan(2 ** 20)
    expect(megabytes).toBeLessThan(peak)
  })
})
