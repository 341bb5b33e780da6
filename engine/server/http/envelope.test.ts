import { expect, test, vi } from 'vitest'
import { answerTo } from './envelope.ts'

test('no log contains the values that the database was given', () => {
  const logged: { err: Error }[] = []
  const log = { error: (details: object) => logged.push(details as { err: Error }) }
  const error = Object.assign(new Error('invalid input syntax for type bigint: "110101199003070038"'), {
    severity: 'ERROR',
    code: '22P02',
    statusCode: 500,
    table: 'person',
    detail: 'Key ("idNumber")=(110101199003070038) already exists.',
    where: "unnamed portal parameter $1 = '110101199003070038'",
  })
  expect(answerTo(error as never, log).refusal.code).toBe('system')
  expect(logged[0].err).toMatchObject({
    message: 'invalid input syntax for type bigint',
    code: '22P02',
    table: 'person',
  })
  expect(JSON.stringify(Object.entries(logged[0].err)) + logged[0].err.stack).not.toContain('110101199003070038')
  // An error that is not the database's stays as it is.
  const own = new TypeError('cannot read "length" of undefined')
  answerTo(own as never, log)
  expect(logged[1].err).toBe(own)
})

test('a statement that the database cancelled for its duration is logged', () => {
  const error = vi.fn<(details: object, message: string) => void>()
  const late = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  const { refusal, incident, again } = answerTo(late as never, { error })
  expect([refusal.code, again]).toEqual(['tooSlow', 30])
  for (const text of Object.values(refusal.text)) expect(text).toContain(incident)
  expect(error).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ incident, code: '57014' }), 'no service')
})
