import { expect, it } from 'vitest'
import { addedRights, departmentsWithin, isWithin, noRights, type Rights } from './rights.ts'

const rights = (permissions: string[], rest: Partial<Rights> = {}): Rights => ({ ...noRights, permissions, ...rest })

it('a pattern is covered by an equal or wider one, not by the permissions that it matches today', () => {
  const own = rights(['a:b:*', 'a:c:view'])
  expect(isWithin(rights(['a:b:*', 'a:b:view', 'a:c:view']), own)).toBe(true)
  expect(isWithin(rights(['a:*:view']), own)).toBe(false)
  expect(isWithin(rights(['a:c:*']), own)).toBe(false)
})

it('with a wider scope, all permissions count as added', () => {
  const before = rights(['a:b:view', 'a:b:edit'])
  expect(addedRights(before, rights(['a:b:view']))).toMatchObject({ permissions: [] })
  expect(addedRights(before, rights(['a:b:view'], { departments: new Set([1]) }))).toMatchObject({
    permissions: ['a:b:view'],
  })
  expect(addedRights(rights(['a:b:view'], { seesAll: true }), rights(['a:b:view', 'a:c:view']))).toMatchObject({
    permissions: ['a:c:view'],
  })
})

it("a grant for more records than one's own scope is beyond one's rights", () => {
  const own = rights(['a:b:view'], { departments: new Set([1, 2]) })
  expect(isWithin(rights(['a:b:view'], { departments: new Set([2]) }), own)).toBe(true)
  expect(isWithin(rights(['a:b:view'], { departments: new Set([3]) }), own)).toBe(false)
  expect(isWithin(rights(['a:b:view'], { seesAll: true }), own)).toBe(false)
  expect(isWithin(rights([], { seesAll: true }), own)).toBe(true)
})

it('an administrator may grant everything, and only an administrator may grant that role', () => {
  const administrator = rights([], { isAdministrator: true })
  expect(isWithin(administrator, administrator)).toBe(true)
  expect(isWithin(administrator, rights(['*:*:*'], { seesAll: true }))).toBe(false)
  expect(addedRights(administrator, rights(['a:b:view'], { seesAll: true }))).toEqual(noRights)
})

it('a data scope covers the departments below, even if the table has a cycle', () => {
  const parents = new Map([
    [1, null],
    [2, 1],
    [3, 2],
    [4, 1],
    [8, 9],
    [9, 8],
  ])
  expect([...departmentsWithin(parents, 'departmentAndBelow', 2)]).toEqual([2, 3])
  expect([...departmentsWithin(parents, 'department', 2)]).toEqual([2])
  expect([...departmentsWithin(parents, 'self', 2)]).toEqual([])
  expect([...departmentsWithin(parents, 'departmentAndBelow', null)]).toEqual([])
})
