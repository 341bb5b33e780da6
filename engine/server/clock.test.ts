import { describe, expect, it } from 'vitest'
import { createClock } from './clock.ts'

describe('the clock', () => {
  it('runs on Shanghai time, and its date can be set', () => {
    const machine = () => Date.UTC(2026, 0, 31, 17, 30, 5)
    expect(createClock(undefined, machine).now()).toBe('2026-02-01 01:30:05')
    expect(createClock('2026-03-15', machine)).toMatchObject({ now: expect.any(Function) })
    expect(createClock('2026-03-15', machine).now()).toBe('2026-03-15 01:30:05')
    expect(createClock('2026-03-15', machine).today()).toBe('2026-03-15')
    for (const wrong of ['2026-02-30', '15.3.2026', 'x']) expect(() => createClock(wrong)).toThrow('BUSINESS_DATE')
  })
})
