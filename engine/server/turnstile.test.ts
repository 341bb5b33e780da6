import { expect, it } from 'vitest'
import { Turnstile } from './turnstile.ts'

/** The callers inside, in order of arrival, and how to release them. */
function watched(turnstile: Turnstile) {
  const inside: string[] = []
  const leaving = new Map<string, () => void>()
  return {
    inside,
    come: (name: string, key = name) =>
      turnstile.enter(key).then((leave) => {
        inside.push(name)
        leaving.set(name, leave)
      }),
    async go(name: string) {
      inside.splice(inside.indexOf(name), 1)
      leaving.get(name)!()
      // Admitted callers report in a microtask of their own.
      await new Promise(setImmediate)
    },
  }
}

it('admits a fixed number, and the others in order', async () => {
  const { inside, come, go } = watched(new Turnstile({ atOnce: 2, waiting: 5 }))
  await Promise.all([come('a'), come('b')])
  void come('c')
  void come('d')
  await new Promise(setImmediate)
  expect(inside).toEqual(['a', 'b'])
  await go('a')
  expect(inside).toEqual(['b', 'c'])
  await go('c')
  expect(inside).toEqual(['b', 'd'])
})

it('lets no caller overtake others by arriving often', async () => {
  const { inside, come, go } = watched(new Turnstile({ atOnce: 3, perKey: 1, waiting: 9, waitingPerKey: 2 }))
  await come('a1', 'a')
  void come('a2', 'a')
  void come('a3', 'a')
  await expect(come('a4', 'a')).rejects.toMatchObject({ code: 'tooManyRequests' })
  await come('b1', 'b')
  expect(inside).toEqual(['a1', 'b1'])
  await go('a1')
  expect(inside).toEqual(['b1', 'a2'])
})

it('counts each leaving once, and a failure as leaving', async () => {
  const turnstile = new Turnstile({ atOnce: 1, waiting: 0 })
  const leave = await turnstile.enter()
  await expect(turnstile.enter()).rejects.toMatchObject({ status: 429 })
  leave()
  leave()
  await expect(turnstile.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await turnstile.run(async () => 'in')).toBe('in')
  const again = await turnstile.enter()
  await expect(turnstile.enter()).rejects.toMatchObject({ status: 429 })
  again()
})
