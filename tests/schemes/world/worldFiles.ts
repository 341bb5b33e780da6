import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The families of this folder and the kind of their policies, as files of the product. */
export const worldFiles = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.family.json'))
  .map((name) => ({
    path: `schemas/welfare/${name}`,
    text: readFileSync(join(import.meta.dirname, name), 'utf8'),
  }))
