import type { Catalog } from '../../model/model.ts'
import { derive } from '../derived.ts'
import { generationInForce } from '../generation.ts'
import { goBy, refreshOverlay } from './overlay.ts'
import type { Runtime } from '../runtime.ts'

export interface FollowOptions {
  compile(): { catalog?: Catalog }
  log(error: unknown): void
}

/** Milliseconds between checks for changed files. */
const again = 1_000

/**
 * Makes a process that is behind read its files again, and continue if they are now in force. Otherwise it serves no
 * requests, and the log says why.
 */
export function follower(runtime: Runtime, { compile, log }: FollowOptions): () => Promise<void> {
  let following: Promise<void> | undefined
  let failed = { number: 0, at: 0 }

  async function follow(): Promise<void> {
    const current = await generationInForce(runtime.database.kysely)
    if (!current || current.number === runtime.derived.generation) return
    if (failed.number === current.number && Date.now() - failed.at < again) return
    const { catalog } = compile()
    if (catalog?.hash !== current.catalog) {
      failed = { number: current.number, at: Date.now() }
      throw new Error(
        `Generation ${current.number} of the schema files (${current.catalog}) was put in force by ${current.by} at ${current.at}; the files ` +
          `here are others (${catalog?.hash ?? 'broken'}). This process serves nobody until it finds the same ones.`,
      )
    }
    goBy(runtime, { ...derive(catalog, runtime.widgets), generation: current.number })
    await refreshOverlay(runtime)
  }

  return () => {
    following ??= follow()
      .catch(log)
      .finally(() => {
        following = undefined
      })
    return following
  }
}
