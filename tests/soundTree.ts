/* oxlint-disable typescript/no-explicit-any -- a test knows the file that it changes */
import { cpSync } from 'node:fs'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import type { SourceText } from '../engine/schema/reading/SourceFile.ts'

/** Copies the tree without mistakes, with the users and roles that a server needs. */
export function copySoundTree(directory: string): void {
  cpSync('tests/mistakes/sound/schemas', directory, { recursive: true })
  cpSync('tests/identity', directory, { recursive: true })
}

/** The files of the tree, with changes: path below `schemas` → a function from the old content, null for a new file. */
export function soundSources(changes: Record<string, (file: any) => object> = {}): SourceText[] {
  const texts = new Map(readSchemas('tests/mistakes/sound/schemas').map(({ path, text }) => [path, text]))
  for (const [name, change] of Object.entries(changes)) {
    const path = `schemas/${name}`
    texts.set(path, JSON.stringify(change(JSON.parse(texts.get(path) ?? 'null'))))
  }
  return [...texts].map(([path, text]) => ({ path, text }))
}
