import type { Line } from '../handling/family.ts'

/** Decided by hand: it stays as it is. */
export const isDecided = ({ adjustReason, reconcileStatus }: Pick<Line, 'adjustReason' | 'reconcileStatus'>): boolean =>
  adjustReason !== null || reconcileStatus === 'accepted'
