import { describe, expect, it } from 'vitest'
import { grants } from '../../model/model.ts'
import { may, widest } from './access.ts'
import type { SessionUser } from '../SessionUser.ts'

describe('permissions', () => {
  it.each([
    ['customer:customer:view', 'customer:customer:view', true],
    ['customer:*:*', 'customer:customer:view', true],
    ['*:*:view', 'bank:bank:view', true],
    ['customer:customer:view', 'customer:customer:edit', false],
    ['customer:*', 'customer:customer:view', false],
    ['customer:cust*:view', 'customer:customer:view', false],
  ])('pattern %s for %s: %s', (pattern, permission, granted) => {
    expect(grants(pattern, permission)).toBe(granted)
  })

  it('all belong to the administrator, and the widest scope wins', () => {
    const user: SessionUser = {
      id: 1,
      username: 'a',
      name: 'A',
      roles: ['support'],
      department: null,
      permissions: ['a:b:c'],
      dataScope: 'self',
    }
    expect([may(user, 'x:y:z'), may({ ...user, roles: ['admin'] }, 'x:y:z')]).toEqual([false, true])
    expect([widest([]), widest(['self', 'departmentAndBelow', 'department']), widest(['unheard'])]).toEqual([
      'self',
      'departmentAndBelow',
      'self',
    ])
  })
})
