import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isMakerGone, makerMark } from './leftovers.ts'
import type { Replacement } from './FileStore.ts'

const stagingMark = 'restored.'

/** Files are staged beside those of the data folder, then swapped with them. */
export function folderReplacement(dataDir: string): Replacement {
  const staging = join(dataDir, `${stagingMark}${makerMark()}`)
  const remove = () => rmSync(staging, { recursive: true, force: true })
  let undoSwap = () => {}
  let path = ''
  mkdirSync(staging, { recursive: true })
  return {
    async begin(name) {
      path = resolve(staging, name)
      if (!path.startsWith(resolve(staging) + sep))
        throw new Error(`The backup names a file outside of the data folder: ${name}`)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '', { mode: 0o600 })
    },
    async add(piece) {
      appendFileSync(path, piece)
    },
    async place(mark) {
      await mark(basename(staging))
      undoSwap = swapFiles(staging, dataDir)
    },
    async keep() {
      remove()
    },
    async undo() {
      undoSwap()
      remove()
    },
  }
}

/**
 * @param isKept whether the files of a killed restore, identified by its mark, stay; otherwise the previous ones come
 * back
 */
export function finishReplacements(dataDir: string, isKept: (mark: string) => boolean): void {
  const left = (existsSync(dataDir) ? readdirSync(dataDir) : []).filter(
    (name) => name.startsWith(stagingMark) && isMakerGone(`.${name.slice(stagingMark.length)}`),
  )
  for (const name of left) {
    const staging = join(dataDir, name)
    const former = join(staging, '.old')
    for (const entry of isKept(name) || !existsSync(former) ? [] : readdirSync(former)) {
      rmSync(join(dataDir, entry), { recursive: true, force: true })
      renameSync(join(former, entry), join(dataDir, entry))
    }
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Each entry of the staging folder replaces the entry of that name in the data folder. Returns how to undo it. */
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
