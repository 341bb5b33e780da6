/** Spreadsheets for the import of customers: filled in as an operator does, and read back as downloaded. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import type { Workbook } from 'hucre/xlsx'
import type { Download, Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import type { ImportsPlan } from '../../engine/screens/imports/imports.ts'
import type { FileValue, ImportPlan, ImportProblem, RecordData, SaveResult, Value } from '../../engine/model/model.ts'
import { customerRow, workbook } from '../importing.ts'
import { call, detail, list, tokenOf, url } from './app.ts'
import type { Language } from './app.ts'
import { catalog } from './catalog.ts'
import { newCode, newMobile, newName } from './customer.ts'

export const plan = (catalog.screens['customer.imports'].body as ImportsPlan).import
export const batches = '/customer/customerImport'
type Cells = ReturnType<typeof customerRow>

const folder = mkdtempSync(path.join(path.dirname(inject('catalogFile')), 'imports-'))

/** A file on disk with that content. */
export function fileOf(name: string, content: Uint8Array | string): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

/** A valid row in Chinese; each call names a new customer. */
export function newRow(cells: Cells = {}): Cells {
  const name = newName('导入')
  return customerRow(1, {
    name,
    corporateName: `${name}（测试）有限公司`,
    uscc: newCode(),
    account: newMobile(),
    consigneeMobile: newMobile(),
    ...cells,
  })
}

/** The rows as a file on disk, with headers in that language. */
export const sheetOf = async (
  name: string,
  rows: Cells[],
  language: Language = 'cn',
  order?: string[],
): Promise<string> => fileOf(name, await workbook(plan, rows, language, order))

/** The workbook that a click downloads. */
export async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; book: Workbook }> {
  const begun: Promise<Download> = page.waitForEvent('download')
  await click()
  const download = await begun
  const file = path.join(folder, download.suggestedFilename())
  await download.saveAs(file)
  return { name: download.suggestedFilename(), book: await readXlsx(readFileSync(file)) }
}

/** Saves a changed workbook under another name. */
export const savedAs = async (name: string, { sheets }: Workbook): Promise<string> =>
  fileOf(
    name,
    await writeXlsx({
      sheets: sheets.map(({ name: title, rows, veryHidden }) => ({
        name: title,
        rows,
        ...(veryHidden && { veryHidden }),
      })),
    }),
  )

/**
 * Adds a batch of that file through the API.
 * @returns its id
 */
export async function addBatch(
  file: string,
  { user = 'admin', ...values }: { user?: string; updateExisting?: boolean; remark?: string } = {},
): Promise<number> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(readFileSync(file))]), path.basename(file))
  const answer = await fetch(`${url()}/api/common/upload`, {
    method: 'POST',
    headers: { token: await tokenOf(user) },
    body,
  })
  const { result } = (await answer.json()) as { result: FileValue }
  return (
    await call<SaveResult>(
      'POST',
      `${batches}/create`,
      { values: { file: [{ ...result, status: 'success' }], ...values } },
      { user },
    )
  ).id
}

/**
 * Uploads, checks and writes a file with these rows through the API, for any import.
 * @returns its batch
 */
export async function imported(
  area: string,
  into: ImportPlan,
  name: string,
  rows: Cells[],
  given: Record<string, Value> = {},
): Promise<RecordData> {
  const endpoint = `/${area}/${into.batches}`
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(await workbook(into, rows))]), name)
  const answer = await fetch(`${url()}/api/common/upload`, {
    method: 'POST',
    headers: { token: await tokenOf() },
    body,
  })
  const { result } = (await answer.json()) as { result: FileValue }
  const { id } = await call<SaveResult>('POST', `${endpoint}/create`, {
    values: { file: [{ ...result, status: 'success' }], ...given },
  })
  const state = async () => (await detail(endpoint, id)).status
  await expect.poll(state).toBe('checked')
  const { list: checked } = await list(`/${area}/${into.rows}`, { filters: { batch: { equals: id } } })
  expect(
    checked.flatMap(({ errors }) =>
      ((errors ?? []) as unknown as ImportProblem[])
        .filter(({ code }) => code !== 'hint')
        .map(({ message }) => message.cn),
    ),
    'what is wrong with the rows',
  ).toEqual([])
  await call('POST', `${endpoint}/write`, { id })
  await expect.poll(state).toBe('completed')
  return detail(endpoint, id)
}

export const batch = (id: number): Promise<RecordData> => detail(batches, id)
