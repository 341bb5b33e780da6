import { Refusal } from '../errors.ts'

/** A thousand records with what was seen of them, and a form with a table, fit several times. */
const largestKilobytes = 256

/**
 * Refuses calls with more than any form sends: each of their records, and each step of their job, would read all of it
 * again.
 * @throws Refusal callTooLarge.
 */
export function refuseLargeCall(body: unknown): void {
  if (Buffer.byteLength(JSON.stringify(body)) > largestKilobytes * 1024)
    throw new Refusal('callTooLarge', { parameters: { size: largestKilobytes } })
}
