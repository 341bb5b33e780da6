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
/** All of these with the expression type of their values, for the compiler. */
export const engineReads: EngineReads = {
  [userEntity]: {
    fields: typed(userFields, { department: 'map', roles: 'list<map>' }),
    required: true,
  },
  [roleEntity]: {
    fields: typed(roleFields, { permissions: 'list<string>', messages: 'list<string>' }),
    required: true,
  },
  [messageEntity]: {
    fields: typed(messageFields, { title: 'map', content: 'map', receiver: 'map' }),
    required: false,
  },
  [dictionaryEntity]: { fields: typed(dictionaryFields, { mayGrow: 'boolean' }), required: false },
  [dictionaryItemEntity]: {
    fields: typed(dictionaryItemFields, { dictionary: 'map', sort: 'decimal', fixed: 'boolean' }),
    required: false,
  },
  [menuEntity]: {
    fields: typed(menuFields, {
      parent: 'map',
      sort: 'decimal',
      hasBadge: 'boolean',
      showBadge: 'boolean',
      noCache: 'boolean',
      affix: 'boolean',
      hidden: 'boolean',
    }),
    required: false,
  },
}

/** What is not named here is text. */
function typed<Fields extends Record<string, string>>(
  fields: Fields,
  types: { [Name in keyof Fields]?: string },
): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [field, types[name] ?? 'string']))
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
