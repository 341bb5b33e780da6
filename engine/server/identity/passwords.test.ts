import { describe, expect, it } from 'vitest'
import { hashPassword, isStrongPassword, md5, randomPassword, verifyPassword } from './passwords.ts'

describe('passwords', () => {
  it('are hashed with a salt, and verified', async () => {
    const [first, second] = await Promise.all([hashPassword(md5('Secret-2026')), hashPassword(md5('Secret-2026'))])
    expect(first).not.toBe(second)
    expect(
      await Promise.all([
        verifyPassword(md5('Secret-2026'), first),
        verifyPassword(md5('secret-2026'), first),
        verifyPassword(md5('Secret-2026'), null),
      ]),
    ).toEqual([true, false, false])
    expect(md5('Secret-2026')).toMatch(/^[0-9A-F]{32}$/)
  })

  it('are hashed two at a time while sixty wait, and more are refused', async () => {
    // The one that is verified in place of a missing one is hashed at the start.
    await verifyPassword(md5('Secret-2026'), null)
    const bytes = Buffer.alloc(32).toString('base64')
    const cheap = ['scrypt', 2, 8, 1, bytes, bytes].join('$')
    const ends = await Promise.allSettled(Array.from({ length: 64 }, () => verifyPassword(md5('x'), cheap)))
    expect(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))).toMatchObject([
      { code: 'tooManyRequests' },
      { code: 'tooManyRequests' },
    ])
  })

  it.each([
    ['abcdefg1', true],
    ['abcdefgh', false],
    ['12345678', false],
    ['1234567-', true],
    ['abc1', false],
    ['a1'.repeat(11), false],
    ['abcdefg 1', false],
    ['密码密码密码密1', false],
  ])('%s: strong is %s', (password, strong) => {
    expect(isStrongPassword(password)).toBe(strong)
  })

  it('are strong and never the same when generated', () => {
    const made = Array.from({ length: 50 }, randomPassword)
    expect(made.filter((password) => !isStrongPassword(password))).toEqual([])
    expect(new Set(made).size).toBe(50)
  })
})
