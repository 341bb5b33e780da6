import { describe, expect, it } from 'vitest'
import { paceOf, progressOf } from './progress.ts'

describe('progressOf', () => {
  it('counts rows read while the file is read, and rows written afterwards', () => {
    expect(progressOf({ status: 'processing', totalCount: 1500 }, 7)).toEqual({
      phase: 'reading',
      done: 1500,
      all: undefined,
      at: 7,
    })
    expect(
      progressOf(
        {
          status: 'processing',
          decidedAt: '2026-03-15 10:00:00',
          totalCount: 1500,
          createCount: 900,
          updateCount: 100,
          successCount: 500,
        },
        7,
      ),
    ).toEqual({ phase: 'writing', done: 500, all: 1000, at: 7 })
    expect(progressOf({ status: 'checked', totalCount: 1500 }, 7)).toBeUndefined()
    expect(progressOf({ status: 'undoing', successCount: 700, undoneCount: 300 }, 7)).toEqual({
      phase: 'undoing',
      done: 300,
      all: 1000,
      at: 7,
    })
  })
})

describe('paceOf', () => {
  const at = (done: number, seconds: number) => ({ phase: 'writing' as const, done, all: 1000, at: seconds * 1000 })
  it('computes rows per second, and the remaining time at that pace', () => {
    expect(paceOf(at(100, 0), at(400, 2))).toEqual({ rate: 150, left: { unit: 'seconds', n: 4 } })
    expect(paceOf(at(100, 0), at(200, 20))).toEqual({ rate: 5, left: { unit: 'minutes', n: 3 } })
  })
  it('is empty before there are two different moments of one phase', () => {
    expect(paceOf(undefined, at(400, 2))).toEqual({})
    expect(paceOf(at(400, 0), at(400, 2))).toEqual({})
    expect(paceOf({ ...at(100, 0), phase: 'reading' }, at(400, 2))).toEqual({})
  })
})
