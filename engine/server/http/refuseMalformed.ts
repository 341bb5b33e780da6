import { truncateText } from '../../model/truncateText.ts'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { isStorable, withoutNul } from '../records/storable.ts'

const refuse = (detail: string) => new Refusal('request', { parameters: { detail } })

/**
 * Refuses malformed requests before any route sees them: addresses with a NUL or a repeated parameter, bodies with
 * characters or numbers that cannot be stored.
 */
export function refuseMalformed(api: FastifyInstance): void {
  api.addHook('onRequest', async ({ query, params }) => {
    const parameters = Object.entries(query as Record<string, unknown>)
    const twice = parameters.find(([, value]) => typeof value !== 'string')
    if (twice) throw refuse(truncateText(twice[0], 100))
    if (!isStorable(params) || !parameters.flat().every((text) => isStorable(text))) throw refuse('NUL, U+D800–U+DFFF')
  })
  api.addHook('preValidation', async ({ body }) => {
    const sent = body as { values?: unknown } | null | undefined
    // Field values are left to their widgets, which strip such characters from the input.
    if (typeof sent === 'object' && sent?.values) sent.values = withoutNul(sent.values)
    if (!isStorable(body)) throw refuse('NUL, U+D800–U+DFFF, > 2^53, > 5000 names')
  })
}
