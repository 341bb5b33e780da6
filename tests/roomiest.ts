import { existsSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

/** Where the databases of tests lie: in memory, where there is plenty, for hundreds are copied and none is to last. */
export function roomiest(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  const wanted = 4 * 2 ** 30
  return bavail * bsize > wanted && freemem() > 2 * wanted ? memory : tmpdir()
}
