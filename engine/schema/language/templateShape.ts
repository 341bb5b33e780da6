import { label, list, optional, record, shape, string, unknown } from '../../model/shape.ts'
import type { Static } from '../../model/shape.ts'

/**
 * `schemas/<area>/<template>/<template>.template.json`: a family's parameters, and the files that it generates. The
 * files themselves are in the same folder (`additionalstaff.list.json`), with `${…}`, `$if` and `$each` in them; their
 * names may contain `${…}` too.
 */
export const templateShape = shape({
  label: label(),
  parameters: unknown({ about: { cn: '参数的 JSON Schema', en: 'The shape of the parameters, as a JSON Schema' } }),
  area: string({ about: { cn: '生成的文件属于哪个领域', en: 'The area that the generated files belong to' } }),
  order: optional(string({ about: { cn: '按此参数排列各族', en: 'The parameter by which families are in order' } })),
  values: optional(
    record(unknown(), {
      about: {
        cn: '由参数算出的其他值，依次可见',
        en: 'What is worked out of the parameters, each value seeing those before it',
      },
    }),
  ),
  rules: optional(
    list(
      shape({
        each: optional(
          string({
            about: { cn: '逐项检查此列表（item、index）', en: 'Checked for each item of this list, as item and index' },
          }),
        ),
        check: string({
          about: {
            cn: '须成立的条件；others 为同一模板的其他族',
            en: 'What must hold; others are the other families of the template',
          },
        }),
        at: string({ about: { cn: '所涉及的参数，如 pages/fm', en: 'The parameter it is about, as pages/fm' } }),
        message: string({ about: { cn: '不成立时的说明', en: 'What is said where it does not' } }),
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
      { about: { cn: '文件 → 生成的名称和条件', en: 'File → the name it gets, and when it is made' } },
    ),
  ),
})
export type TemplateFile = Static<typeof templateShape>

export const familyShape = shape({
  template: string({ names: 'template' }),
  parameters: record(unknown()),
  patch: record(unknown(), {
    default: {},
    about: { cn: '对生成文件的合并补丁', en: 'Generated file → JSON Merge Patch' },
  }),
})
