import { fillText } from '../model/fillText.ts'
import { comma, composed, joinedBy, languageIn, textIn } from '../model/language.ts'
import { truncateText } from '../model/truncateText.ts'
import type { Conflict, FieldProblem, Label } from '../model/model.ts'
import { fileErrors } from './errors/fileErrors.ts'
import { importErrors } from './errors/importErrors.ts'
import { outageErrors } from './errors/outageErrors.ts'
import { signInErrors } from './errors/signInErrors.ts'

/**
 * All refusals of the server: name → HTTP status (also the envelope's `code`) and the user's message. `{name}` is
 * filled from the refusal's parameters.
 */
export const errors = {
  ...signInErrors,
  ...outageErrors,
  ...fileErrors,
  ...importErrors,

  tooManyRequests: {
    status: 429,
    message: { cn: '操作过于频繁，请稍后再试', en: 'Too many requests, please try again later' },
  },

  permission: {
    status: 403,
    message: {
      cn: '您没有操作权限，请向上级获取权限后再试！',
      en: 'You have no operation permission, please obtain permission from the higher-level authority and try again!',
    },
  },
  outOfScope: { status: 403, message: { cn: '无权查看该数据', en: 'You may not view this record' } },
  remindedToday: { status: 409, message: { cn: '今天已经提醒过', en: 'A reminder was already sent today' } },
  nobodyToRemind: { status: 409, message: { cn: '没有可以提醒的人', en: 'There is nobody to remind' } },
  maskedField: { status: 403, message: { cn: '无权按{field}查询', en: 'You may not search by {field}' } },

  unknownPath: { status: 404, message: { cn: '接口不存在', en: 'There is no such operation' } },
  unknownScreen: { status: 404, message: { cn: '页面不存在', en: 'Page not found' } },
  unknownRecord: { status: 404, message: { cn: '数据不存在或已删除', en: 'The record does not exist or was deleted' } },

  stale: {
    status: 409,
    message: {
      cn: '数据已被他人修改，请刷新后重试',
      en: 'The record was changed by someone else, please refresh and try again',
    },
  },
  staleRecords: {
    status: 409,
    message: {
      cn: '以下{entity}已被他人修改，请刷新后重试：{names}',
      en: 'Some records ({entity}) were changed by someone else; please refresh and try again: {names}',
    },
  },
  alike: {
    status: 409,
    message: {
      cn: '刚刚已提交过相同的内容，未重复办理；确需再次办理的，请求须带Idempotency-Key',
      en: 'The same request was submitted a moment ago and was not carried out again; to repeat it on purpose, send an Idempotency-Key',
    },
  },
  repeated: {
    status: 409,
    message: {
      cn: '该请求已提交过，且内容不同，请刷新后重试',
      en: 'This request was already submitted with other content, please refresh and try again',
    },
  },
  otherFeed: {
    status: 409,
    message: {
      cn: '数据库已被恢复，该位置已失效，请从头读取',
      en: 'The database has been restored since then, so this position is no longer valid; please read from the start',
    },
  },
  inUse: { status: 409, message: { cn: '该数据已被使用，不能删除', en: 'The record is in use and cannot be deleted' } },
  notAllowed: { status: 409, message: { cn: '当前状态不允许此操作', en: 'This is not possible in the current state' } },
  fourEyes: {
    status: 409,
    message: {
      cn: '您已办理“{step}”，本步骤须由其他用户办理',
      en: 'You carried out “{step}” on this record, so someone else must do this step',
    },
  },

  invalid: {
    status: 422,
    message: { cn: '提交的数据有误，请检查', en: 'Some of the data is incorrect; please check' },
  },
  unknownParameter: {
    status: 400,
    message: { cn: '没有查询参数“{name}”{hint}', en: 'There is no query parameter "{name}"{hint}' },
  },
  request: { status: 422, message: { cn: '请求格式不正确：{detail}', en: 'Malformed request: {detail}' } },
  unknownField: { status: 422, message: { cn: '{entity}没有字段“{field}”', en: '{entity} has no field "{field}"' } },
  unstoredField: {
    status: 422,
    message: { cn: '不能按{field}查询或排序', en: 'Records cannot be searched or sorted by {field}' },
  },
  unsortable: { status: 422, message: { cn: '不能按{field}排序', en: 'Records cannot be sorted by {field}' } },
  unsummable: { status: 422, message: { cn: '不能对{field}求和', en: '{field} cannot be summed' } },
  operator: {
    status: 422,
    message: {
      cn: '{field}不支持“{operator}”查询，可用：{allowed}',
      en: '{field} cannot be filtered by "{operator}"; allowed: {allowed}',
    },
  },
  tooLarge: {
    status: 422,
    message: {
      cn: '数值或由其计算的合计过大，无法保存',
      en: 'A number, or a total of such numbers, is too large to be saved',
    },
  },
  callTooLarge: {
    status: 422,
    message: {
      cn: '一次操作提交的内容不能超过{size}KB，请减少内容后重试',
      en: 'A call may contain at most {size} KB; please send less at once',
    },
  },
  operand: { status: 422, message: { cn: '{field}的查询条件不正确', en: 'The filter on {field} is invalid' } },
  filterRequired: { status: 422, message: { cn: '请选择{field}', en: 'Please select {field}' } },
  filterRange: {
    status: 422,
    message: { cn: '{field}最多{months}个月', en: '{field} may cover at most {months} {months|month|months}' },
  },
  reportTooLarge: {
    status: 422,
    message: {
      cn: '报表不能超过{limit}行，请缩小查询范围',
      en: 'A report can have at most {limit} rows; please narrow the search',
    },
  },
  exportTooLarge: {
    status: 422,
    message: {
      cn: '导出不能超过{limit}行，请缩小查询范围',
      en: 'An export can have at most {limit} rows; please narrow the search',
    },
  },
  tooManyRecords: {
    status: 422,
    message: { cn: '一次最多选择{limit}条记录', en: 'Please select at most {limit} records at once' },
  },
  nothingToDownload: {
    status: 422,
    message: { cn: '所选记录没有可下载的文件', en: 'These records have no files to download' },
  },
  nothingToFill: {
    status: 422,
    message: { cn: '没有可列入文件的数据', en: 'There are no records to include in the file' },
  },
  brokenSchemas: {
    status: 422,
    message: { cn: '配置文件有误，未作任何变更', en: 'The schema files have issues; nothing was changed' },
  },

  system: { status: 500, message: { cn: '系统错误', en: 'system error' } },
} satisfies Record<string, { status: number; message: Label }>

export type ErrorName = keyof typeof errors

/** Problems of single fields that no widget reports. `{label}` is the field's. */
export const problems = {
  unknownField: { cn: '没有字段“{label}”', en: 'There is no field "{label}"' },
  rows: { cn: '表格合计最多{max}行', en: 'All tables together may have at most {max} rows' },
  readOnly: { cn: '{label}不能修改', en: '{label} cannot be changed' },
  unique: { cn: '{label}已存在', en: '{label} already exists' },
  uniqueItem: { cn: '{label}“{item}”已存在', en: '{label} "{item}" already exists' },
  reference: { cn: '{label}不存在或已停用', en: '{label} does not exist or is disabled' },
  treeCycle: { cn: '{label}不能是自己或自己的下级', en: '{label} cannot be the record itself or one below it' },
  treeDepth: { cn: '最多{depth}级', en: 'At most {depth} levels' },
  unnamedFiles: {
    cn: '{label}：文件名应包含且只包含所选记录中一条的号码：{files}',
    en: '{label}: each file name must contain the number of exactly one of the records: {files}',
  },
  file: { cn: '{label}的文件不存在，请重新上传', en: 'A file of {label} does not exist, please upload it again' },
  beyondOwn: {
    cn: '{label}超出您自己的权限或数据范围，不能授予',
    en: '{label} exceeds your own permissions or data scope, so you cannot grant it',
  },
  row: { cn: '{label}中有不属于本记录的行', en: '{label} contains a row of another record' },
} as const

type Parameters = Record<string, string | number | Label>

/** Fills `{name}` in every language from the parameters; a parameter may itself be a label. */
export const fill = (message: Label, parameters: Parameters): Label =>
  composed([message, ...Object.values(parameters).filter(isLabel)], (read, language) =>
    fillText(
      read(message),
      (name) => {
        const parameter = parameters[name]
        return isLabel(parameter) ? read(parameter) : parameter?.toString()
      },
      languageIn(message, language),
    ),
  )

const isLabel = (parameter: Parameters[string] | undefined): parameter is Label => typeof parameter === 'object'

/** Joins labels as in a sentence. */
export const listed = (labels: readonly Label[]): Label => joinedBy(comma, labels)

/**
 * What an operation returns instead of a result. Thrown anywhere in a request; the envelope turns it into an answer.
 */
export class Refusal extends Error {
  readonly status: number
  readonly text: Label
  readonly problems?: FieldProblem[]
  readonly conflict?: Conflict
  readonly result?: unknown

  constructor(
    readonly code: ErrorName,
    {
      parameters = {},
      text,
      problems,
      conflict,
      result,
    }: {
      parameters?: Parameters
      /** Replaces the catalogue's message: the message of a rule in the schemas. */
      text?: Label
      problems?: FieldProblem[]
      conflict?: Conflict
      result?: unknown
    } = {},
  ) {
    const filled = text ?? fill(errors[code].message, parameters)
    super(textIn(filled, 'en') || code)
    this.status = errors[code].status
    this.text = filled
    this.problems = problems
    this.conflict = conflict
    this.result = result
  }
}

/** How much is told of a name that a client made up, which may have any length. */
const longestNamed = 100

export const unknownField = (name: string): FieldProblem => ({
  field: name,
  code: 'unknown-field',
  message: fill(problems.unknownField, { label: truncateText(name, longestNamed) }),
})

/**
 * Refuses with the problems of a save; the message is the first one's, so that it is useful where no form shows the
 * fields.
 */
export function invalid(found: FieldProblem[]): Refusal {
  return new Refusal('invalid', { problems: found, text: found[0]?.message })
}
