import type { Stored, Where } from '../../../engine/server/procedure.ts'

/** Statements that are not voided. */
export const isStanding = { stage: { not: 'voided' } } as const satisfies Where<Stored<'statement'>>
