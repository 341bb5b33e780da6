import { iconNames } from '../../model/icons.ts'
import { integer, label, list, oneOf, optional, shape, string } from '../../model/shape.ts'
import type { Label } from '../../model/model.ts'

/** Specification, section 9. */
export const defaultThemeColour = '#1890ff'

const setting = (about: Label) =>
  string({ names: 'setting', pattern: '^[a-z][a-zA-Z0-9]*[.][a-z][a-zA-Z0-9]*$', like: 'entity.field', about })
export const icon = optional(oneOf(iconNames))

/** A tag of a language, or the product's own `cn`. */
export const languagePattern = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'

export const appShape = shape({
  title: label({ about: { cn: '产品名称', en: 'Name of the product' } }),
  languages: list(string({ pattern: languagePattern, like: 'de-AT' }), {
    distinct: true,
    default: ['cn', 'en'],
    about: { cn: '界面语言，第一个为默认', en: 'Languages, the first is the default' },
  }),
  theme: optional(
    shape({ colour: string({ default: defaultThemeColour, pattern: '^#[0-9a-fA-F]{6}$', like: '#1890ff' }) }),
  ),
  home: string({ about: { cn: '首页路由', en: 'Route of the home screen' } }),
  backends: list(string({ pattern: '^/[A-Za-z0-9/_-]+$', like: '/partner/api' }), {
    distinct: true,
    default: [],
    about: { cn: '由其他后端提供的路径前缀', en: 'Path prefixes that a proxy forwards to other back ends' },
  }),
  policies: shape(
    {
      sessionMinutes: optional(
        setting({ cn: '登录有效时长（分钟）', en: 'Minutes of inactivity after which a session ends' }),
      ),
      signInFailures: optional(
        setting({ cn: '登录失败几次后锁定', en: 'Number of wrong passwords after which sign-in is delayed' }),
      ),
      passwordDays: optional(
        setting({ cn: '密码有效天数，0 为长期', en: 'Days after which a password must be changed; 0 = never' }),
      ),
      defaultPassword: optional(setting({ cn: '新用户和重置后的密码', en: 'Password of new users and after a reset' })),
      importRows: optional(setting({ cn: '导入行数上限', en: 'Maximum number of rows in an imported file' })),
      exportRows: optional(setting({ cn: '导出行数上限', en: 'Maximum number of rows in an export' })),
      badgeMaximum: optional(setting({ cn: '菜单角标最大值', en: 'Largest number shown on a menu badge; at most 99' })),
      logDays: optional(
        setting({
          cn: '登录、查看、导出和被拒绝的操作在日志中保留的天数',
          en: 'Days for which the log keeps sign-ins, views, exports and refusals',
        }),
      ),
      pictureMegabytes: optional(setting({ cn: '图片大小上限（MB）', en: 'Maximum size of a picture in MB' })),
    },
    {
      default: {},
      about: {
        cn: '系统自身遵守、由管理员设置的参数：实体.字段',
        en: 'Settings that the system applies on its own; each names a field, as entity.field, of an entity with "single": true',
      },
    },
  ),
  areas: list(
    shape({
      name: string({ pattern: '^[a-z][a-zA-Z0-9]*$', like: 'customer' }),
      label: label(),
      icon,
      directories: list(
        shape({
          name: string({ pattern: '^[a-z][a-zA-Z0-9]*$', like: 'customer' }),
          label: label(),
          icon,
          order: integer({ default: 100 }),
        }),
        {
          distinct: ['name'],
          default: [],
          about: { cn: '领域之下的菜单目录', en: 'Menu groups within the area' },
        },
      ),
    }),
    {
      distinct: ['name'],
      about: { cn: '业务领域，按菜单顺序', en: 'Areas in menu order; each is a folder' },
    },
  ),
})
