import { expect, it, vi } from 'vitest'
import { combineDirty } from './combineDirty.ts'

it('reports unsaved work while any part has some', () => {
  const report = vi.fn()
  const setDirty = combineDirty(report)
  setDirty(true)
  setDirty(true, 'drawer')
  setDirty(false)
  setDirty(false, 'another')
  setDirty(false, 'drawer')
  expect(report.mock.calls.flat()).toEqual([true, true, true, true, false])
})
