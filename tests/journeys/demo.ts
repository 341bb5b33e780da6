import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import type { Copy } from './host.ts'
import { password } from './server.ts'
import type { StartOptions } from './server.ts'

/** The path of a data folder that does not exist yet, in a folder of its own. */
export function emptyFolder(): { folder: string; remove(): void } {
  const home = mkdtempSync(path.join(tmpdir(), 'formwork-journey-'))
  return { folder: path.join(home, 'data'), remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** The answer of the host of all journeys. */
export async function callHost<T>(path: string): Promise<T> {
  const answer = await fetch(`${inject('host')}${path}`, { method: 'POST' })
  const body = (await answer.json()) as T & { message?: string }
  if (!answer.ok) throw new Error(`${path}: ${body.message}`)
  return body
}

/** A copy of the demo as it is after the first start, and the options that start a server on it. */
export async function copyDemo(): Promise<{ start: StartOptions; remove(): Promise<void> }> {
  const { id, databaseUrl, dataDir } = await callHost<Copy>('/copy')
  return {
    start: { folder: dataDir, environment: { ADMIN_PASSWORD: password, DATABASE_URL: databaseUrl } },
    async remove() {
      await callHost(`/end?id=${id}`)
    },
  }
}
