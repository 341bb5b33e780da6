import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'

export interface DataFolder {
  /** DATA_DIR. */
  folder: string
  remove(): void
}

/** A place for a data folder, in which nothing is yet. */
export function emptyFolder(): DataFolder {
  const home = mkdtempSync(path.join(tmpdir(), 'formwork-journey-'))
  return { folder: path.join(home, 'data'), remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** The demo's data as they are after the first start. No server runs on them yet. */
export function copyDemo(): DataFolder {
  const copy = emptyFolder()
  const { status, stderr } = spawnSync('cp', ['-a', inject('demoFolder'), copy.folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return copy
}
