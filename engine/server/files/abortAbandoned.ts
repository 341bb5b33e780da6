import type { Bucket } from './Bucket.ts'

/** Milliseconds without a new part after which an upload counts as left by a killed process. */
export const abandonedAfter = 24 * 3_600_000

interface Which {
  abandoned?: number
  isOurs?(key: string): boolean
}

/**
 * Aborts the uploads below a prefix that killed processes left, because the service stores and bills their parts. An
 * upload that still gets parts is not touched, however long ago it began.
 * @returns how many
 */
export async function abortAbandoned(
  bucket: Bucket,
  prefix: string,
  { abandoned = abandonedAfter, isOurs = () => true }: Which = {},
): Promise<number> {
  const isOld = (moment: Date) => moment.getTime() < Date.now() - abandoned
  let count = 0
  for await (const { key, upload, begun } of bucket.unfinished(prefix)) {
    if (!isOurs(key) || !isOld(begun)) continue
    let isIdle = true
    for await (const arrived of bucket.arrivals(key, upload)) isIdle &&= isOld(arrived)
    if (!isIdle) continue
    await bucket.abort(key, upload)
    count++
  }
  return count
}
