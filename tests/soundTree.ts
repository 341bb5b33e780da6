import { cpSync } from 'node:fs'

/** The tree without a mistake, with users and roles as a server reads them. */
export function copySoundTree(directory: string): void {
  cpSync('tests/mistakes/sound/schemas', directory, { recursive: true })
  cpSync('tests/identity', directory, { recursive: true })
}
