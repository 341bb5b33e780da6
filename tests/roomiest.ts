import { existsSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

/** The folder for test databases: in memory if there is room, because hundreds are copied and none is kept. */
export function roomiest(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  const wanted = 4 * 2 ** 30
  return bavail * bsize > wanted && freemem() > 2 * wanted ? memory : tmpdir()
}
