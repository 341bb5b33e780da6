import type { WidgetExamples } from '../../model/model.ts'

const choice = (value: string, cn: string, en: string) => ({ value, label: { cn, en } })

export const examples: WidgetExamples = {
  options: [{}],
  good: [
    {
      given: ['customer:customer:view', ' customer:customer:edit', 'customer:customer:view'],
      canonical: ['customer:customer:view', 'customer:customer:edit'],
      text: {
        cn: '客户管理 / 企业客户 / 查看、客户管理 / 企业客户 / 编辑',
        en: 'Customers / Corporate customer / View, Customers / Corporate customer / Edit',
      },
    },
    { given: ['customer:*:*'], canonical: ['customer:*:*'], text: { cn: '4项权限', en: '4 permissions' } },
    {
      given: 'customer:agency:view',
      canonical: ['customer:agency:view'],
      text: { cn: '客户管理 / 服务机构 / 查看', en: 'Customers / Agency / View' },
    },
  ],
  bad: [
    {
      given: ['customer:custmer:view'],
      code: 'permission',
      message: { cn: '没有“customer:custmer:view”这项权限', en: 'There is no permission "customer:custmer:view"' },
    },
    { given: ['view'], code: 'permission', message: { cn: '没有“view”这项权限', en: 'There is no permission "view"' } },
    { given: [{ a: 1 }], code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
    { given: true, code: 'format', message: { cn: '{label}格式不正确', en: '{label} has an invalid format' } },
  ],
  dictionaries: {
    permissions: {
      name: 'permissions',
      label: { cn: '权限', en: 'Permissions' },
      mayGrow: false,
      choices: [
        choice('customer:customer:view', '客户管理 / 企业客户 / 查看', 'Customers / Corporate customer / View'),
        choice('customer:customer:add', '客户管理 / 企业客户 / 新增', 'Customers / Corporate customer / Add'),
        choice('customer:customer:edit', '客户管理 / 企业客户 / 编辑', 'Customers / Corporate customer / Edit'),
        choice('customer:agency:view', '客户管理 / 服务机构 / 查看', 'Customers / Agency / View'),
      ],
    },
  },
}
