import type { FastifyInstance } from 'fastify'
import { Refusal } from './errors.ts'
import { isSound, withoutNul } from './sound.ts'

const refuse = (detail: string) => new Refusal('request', { parameters: { detail } })

/**
 * What no route below could make anything of is refused before it gets there: addresses with a NUL or a parameter said
 * twice, bodies with what cannot be kept.
 */
export function guardDoor(api: FastifyInstance): void {
  api.addHook('onRequest', async ({ query, params }) => {
    const parameters = Object.entries(query as Record<string, unknown>)
    const twice = parameters.find(([, value]) => typeof value !== 'string')
    if (twice) throw refuse(twice[0].slice(0, 100))
    if (!isSound(params) || !parameters.flat().every((text) => isSound(text))) throw refuse('NUL, U+D800–U+DFFF')
  })
  api.addHook('preValidation', async ({ body }) => {
    const sent = body as { values?: unknown } | null | undefined
    // The values of fields are what their widgets make of them, and all of these leave it out of what was typed.
    if (typeof sent === 'object' && sent?.values) sent.values = withoutNul(sent.values)
    if (!isSound(body)) throw refuse('NUL, U+D800–U+DFFF, > 2^53')
  })
}
