import type { Context } from '../runtime.ts'

/** Milliseconds since the request, or since the start of the system's own work. */
export const durationOf = ({ begun }: Pick<Context, 'begun'>): number | null =>
  begun === undefined ? null : Math.round(performance.now() - begun)
