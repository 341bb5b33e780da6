/**
 * The entities that the engine itself reads, to know who signs in, what they may, and what they are told. A product's schemas declare them, with at
 * least these fields; everything else about them is its own.
 */
export const userEntity = 'user'
export const roleEntity = 'role'
export const departmentEntity = 'department'
export { messageEntity } from '../schema/messages.ts'

export const userFields = { loginName: 'loginName', realName: 'realName', department: 'department', roles: 'roles', status: 'status' } as const
export const roleFields = { code: 'code', permissions: 'functionPermissions', dataScope: 'dataScope', messages: 'messageAuthorization', status: 'status' } as const
export const messageFields = { type: 'type', title: 'title', content: 'content', link: 'link', receiver: 'receiver', readAt: 'readAt' } as const
/** The value of their `status` with which a user may sign in and a role counts. */
export const enabled = 'enabled'
