/**
 * The entities that the engine itself reads, for sign-in, permissions and messages. A product's schemas declare them
 * with at least these fields; everything else about them is up to the product.
 */
import { messageEntity } from '../../schema/linking/messages.ts'
import type { EngineReads } from '../../schema/linking/reads.ts'
import { departmentEntity, roleCode, roleEntity, userEntity } from '../../model/identityNames.ts'

export { departmentEntity, messageEntity, roleEntity, userEntity }

export const userFields = {
  loginName: 'loginName',
  realName: 'realName',
  department: 'department',
  roles: 'roles',
  status: 'status',
} as const
export const roleFields = {
  code: roleCode,
  permissions: 'functionPermissions',
  dataScope: 'dataScope',
  messages: 'messageAuthorization',
  status: 'status',
} as const
export const messageFields = {
  type: 'type',
  title: 'title',
  content: 'content',
  link: 'link',
  receiver: 'receiver',
  readAt: 'readAt',
} as const
/** The entities in which administrators change dictionaries and their values. */
export const dictionaryEntity = 'dictionary'
export const dictionaryItemEntity = 'dictionaryItem'
export const dictionaryFields = { code: 'code', name: 'name', nameEn: 'nameEn', mayGrow: 'mayGrow' } as const
export const dictionaryItemFields = {
  dictionary: 'dictionary',
  value: 'value',
  label: 'label',
  labelEn: 'labelEn',
  tag: 'tag',
  sort: 'sort',
  fixed: 'fixed',
  status: 'status',
} as const
/** The entity in which administrators change menu entries. */
export const menuEntity = 'menu'
export const menuFields = {
  code: 'code',
  parent: 'parent',
  kind: 'kind',
  name: 'name',
  nameEn: 'nameEn',
  route: 'frontRoute',
  permission: 'permission',
  icon: 'icon',
  sort: 'sort',
  hasBadge: 'hasBadge',
  showBadge: 'showBadge',
  noCache: 'noCache',
  affix: 'affix',
  hidden: 'hidden',
  status: 'status',
} as const
/** All of these, for the compiler. */
export const engineReads: EngineReads = {
  [userEntity]: { fields: Object.values(userFields), required: true },
  [roleEntity]: { fields: Object.values(roleFields), required: true },
  [messageEntity]: { fields: Object.values(messageFields), required: false },
  [dictionaryEntity]: { fields: Object.values(dictionaryFields), required: false },
  [dictionaryItemEntity]: { fields: Object.values(dictionaryItemFields), required: false },
  [menuEntity]: { fields: Object.values(menuFields), required: false },
}
/** The types of the messages that the engine itself sends. */
export const engineMessages = {
  grown: 'roleGrown',
  job: 'jobFinished',
  import: 'importFinished',
  reminder: 'reminder',
} as const
/** The `status` with which a user may sign in and a role counts. */
export const enabled = 'enabled'
