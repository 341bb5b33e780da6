import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalog } from '../../../engine/model/model.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import { compiledOnce } from '../../compiledOnce.ts'

/** The families of this folder and their policy kind, as product files. */
export const worldFiles = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.family.json'))
  .map((name) => ({
    path: `schemas/welfare/${name}`,
    text: readFileSync(join(import.meta.dirname, name), 'utf8'),
  }))

interface Parameters {
  items: object[]
  words: object
}

/** The product's catalog with some of these families, each with its parameters overridden. */
export function catalogWith(name: string, families: Record<string, (parameters: Parameters) => object>): Catalog {
  const files = ['world', ...Object.keys(families)].map((key) => {
    const { path, text } = worldFiles.find((each) => each.path.endsWith(`/${key}.family.json`))!
    const file = JSON.parse(text) as { parameters: Parameters }
    const parameters = { ...file.parameters, ...families[key]?.(file.parameters) }
    return { path, text: JSON.stringify({ ...file, parameters }, null, 2) }
  })
  return structuredClone(compiledOnce(name, () => [...readSchemas('schemas'), ...files]))
}
