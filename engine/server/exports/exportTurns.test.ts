import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { inExportTurn } from './exportTurns.ts'
import type { Context, Runtime } from '../runtime.ts'
import { usualSafety } from '../safety.ts'

const runtime = { safety: { ...usualSafety, exportsPerUser: 1, exportsAtOnce: 2 } } as Runtime
const contextOf = (id: number) => ({ runtime, user: { id } }) as Pick<Context, 'runtime' | 'user'>

/** A reply that the test ends when it chooses. */
function pending() {
  const raw = Object.assign(new EventEmitter(), { destroyed: false, setTimeout: () => undefined })
  return { raw, reply: { raw, request: {} } as unknown as FastifyReply }
}

it("runs a user's exports one after another until each is sent, and other users' beside them", async () => {
  const made: string[] = []
  const [first, second, other] = [pending(), pending(), pending()]
  const make = (id: number, name: string, { reply }: ReturnType<typeof pending>) =>
    inExportTurn(contextOf(id), reply, async () => void made.push(name))
  await make(1, 'first', first)
  const waiting = make(1, 'second', second)
  await make(2, 'other', other)
  expect(made).toEqual(['first', 'other'])
  first.raw.emit('close')
  await waiting
  expect(made).toEqual(['first', 'other', 'second'])
  for (const { raw } of [second, other]) raw.emit('finish')
})

it('frees the turn of an export that fails, or whose client has gone', async () => {
  const { reply } = pending()
  await expect(inExportTurn(contextOf(3), reply, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const gone = pending()
  gone.raw.destroyed = true
  const made: string[] = []
  await expect(inExportTurn(contextOf(3), gone.reply, async () => made.push('for nobody'))).rejects.toThrow()
  expect(made).toEqual([])
  expect(await inExportTurn(contextOf(3), pending().reply, async () => 'made')).toBe('made')
})
