import { boolean, label, list, optional, record, shape, string, unknown } from '../../model/shape.ts'
import type { Static } from '../../model/shape.ts'
import { withReasons } from './withReasons.ts'

/**
 * `schemas/<area>/<template>/<template>.template.json`: a family's parameters, and the files that it generates. The
 * files themselves are in the same folder (`additionalstaff.list.json`), with `${…}`, `$if` and `$each` in them; their
 * names may contain `${…}` too.
 */
export const templateShape = shape({
  label: label(),
  parameters: unknown({ about: { cn: '参数的 JSON Schema', en: 'The shape of the parameters, as a JSON Schema' } }),
  area: string({ about: { cn: '生成的文件属于哪个领域', en: 'The area that the generated files belong to' } }),
  order: optional(string({ about: { cn: '按此参数排列各族', en: 'The parameter that orders the families' } })),
  values: optional(
    record(unknown(), {
      about: {
        cn: '由参数算出的其他值，依次可见',
        en: 'Values computed from the parameters; each may use those before it',
      },
    }),
  ),
  rules: optional(
    list(
      shape({
        each: optional(
          string({
            about: {
              cn: '逐项检查此列表（item、index）',
              en: 'Checked for each item of this list, available as item and index',
            },
          }),
        ),
        check: string({
          about: {
            cn: '须成立的条件；others 为同一模板的其他族',
            en: 'The condition; `others` are the other families of the template',
          },
        }),
        at: string({
          about: { cn: '所涉及的参数，如 pages/fm', en: 'The parameter that the message points at, such as pages/fm' },
        }),
        message: string({ about: { cn: '不成立时的说明', en: 'The message if the condition does not hold' } }),
        warns: boolean({
          default: false,
          about: {
            cn: '只提醒，不算错误：所写的不起作用',
            en: 'Only a warning: what the family says is right, but has no effect',
          },
        }),
      }),
    ),
  ),
  files: optional(
    record(
      shape({
        as: optional(string()),
        when: optional(string()),
        each: optional(
          string({ about: { cn: '列表的每一项各生成一个文件', en: 'One file for each item of this list' } }),
        ),
        item: optional(string()),
      }),
      { about: { cn: '文件 → 生成的名称和条件', en: 'File → the name it gets, and when it is generated' } },
    ),
  ),
})
export type TemplateFile = Static<typeof templateShape>

export const familyShape = withReasons(
  shape({
    template: string({ names: 'template' }),
    parameters: record(unknown()),
    patch: record(unknown(), {
      default: {},
      about: { cn: '对生成文件的合并补丁', en: 'Generated file → JSON Merge Patch' },
    }),
  }),
)
