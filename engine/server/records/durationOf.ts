import type { Context } from '../runtime.ts'

/** Milliseconds from the request, or from the beginning of what the system does by itself, until now. */
export const durationOf = ({ begun }: Pick<Context, 'begun'>): number | null =>
  begun === undefined ? null : Math.round(performance.now() - begun)
