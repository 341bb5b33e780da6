import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { compile } from '../engine/schema/compile.ts'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import type { Catalog } from '../engine/model/model.ts'
import { lists } from '../src/lists.ts'
import type { SourceText } from '../engine/schema/reading/SourceFile.ts'

/** Compiled once per run and read once by each process. */
const kept = new Map<string, Catalog>()
export function compiledOnce(name: string, sources: () => SourceText[]): Catalog {
  const file = join(inject('testDatabase').dataDir, `${name}.json`)
  if (!existsSync(file) && !isCompiledElsewhere(file)) {
    const { catalog, issues } = compile(sources(), lists)
    if (!catalog) throw new Error(JSON.stringify(issues))
    // A concurrent reader finds the whole file or none.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(catalog))
    renameSync(`${file}.${process.pid}`, file)
  }
  const catalog = kept.get(file) ?? frozen(JSON.parse(readFileSync(file, 'utf8')) as Catalog)
  kept.set(file, catalog)
  return catalog
}

/** Waits for another process that compiles it already: all begin with it, and the processor is busy. */
function isCompiledElsewhere(file: string): boolean {
  try {
    writeFileSync(`${file}.begun`, '', { flag: 'wx' })
    return false
  } catch {
    const sleeping = new Int32Array(new SharedArrayBuffer(4))
    // A process that was killed meanwhile does not come back.
    for (let waits = 0; waits < 1200 && !existsSync(file); waits++) Atomics.wait(sleeping, 0, 0, 50)
    return existsSync(file)
  }
}

/** Frozen, because test files share it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(frozen)
  return Object.freeze(value)
}

export const productCatalog = () => compiledOnce('product', () => readSchemas('schemas'))
