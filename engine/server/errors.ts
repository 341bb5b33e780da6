import { fillText } from '../model/fillText.ts'
import { comma, composed, joinedBy, languageIn, textIn } from '../model/language.ts'
import type { Conflict, FieldProblem, Label } from '../model/model.ts'

/**
 * All refusals of the server: name → HTTP status (also the envelope's `code`) and the user's message. `{name}` is
 * filled from the refusal's parameters.
 */
export const errors = {
  signedOut: {
    status: 401,
    message: { cn: '登录已失效，请重新登录', en: 'Your session has ended, please log in again' },
  },
  expired: {
    status: 401,
    message: { cn: '登录已过期，请重新登录', en: 'Your session has expired, please log in again' },
  },
  wrongPassword: { status: 422, message: { cn: '用户名或密码错误', en: 'Wrong username or password' } },
  userDisabled: {
    status: 403,
    message: { cn: '该用户已停用，请联系管理员', en: 'This user is disabled, please contact the administrator' },
  },
  userWithoutRole: {
    status: 403,
    message: {
      cn: '该用户没有可用的角色，请联系管理员',
      en: 'This user has no enabled role, please contact the administrator',
    },
  },
  tooManySignIns: {
    status: 429,
    message: {
      cn: '登录失败次数过多，请{minutes}分钟后再试',
      en: 'Too many failed sign-ins, please try again in {minutes} {minutes|minute|minutes}',
    },
  },
  tooManyGuesses: {
    status: 429,
    message: {
      cn: '密码错误次数过多，请{minutes}分钟后再试',
      en: 'Too many wrong passwords, please try again in {minutes} {minutes|minute|minutes}',
    },
  },
  mustChangePassword: { status: 403, message: { cn: '请先修改密码', en: 'Please change the password first' } },
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
  unknownFile: { status: 404, message: { cn: '文件不存在', en: 'The file does not exist' } },

  fileGone: {
    status: 404,
    message: {
      cn: '存储中找不到文件（{id}，服务进程{process}），请重新上传或联系管理员',
      en: 'The file is not in the storage ({id}, process {process}); please upload it again or contact the administrator',
    },
  },

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
      en: 'The database has been restored since then, so this position is void: please read from the start',
    },
  },
  inUse: { status: 409, message: { cn: '该数据已被使用，不能删除', en: 'The record is in use and cannot be deleted' } },
  notAllowed: { status: 409, message: { cn: '当前状态不允许此操作', en: 'This is not possible in the current state' } },
  fourEyes: {
    status: 409,
    message: {
      cn: '您已办理“{step}”，本步骤须由其他用户办理',
      en: 'You did “{step}” on this record, so someone else has to do this step',
    },
  },
  unreachable: {
    status: 503,
    message: {
      cn: '数据库暂时无法访问，请稍后重试（编号：{incident}）',
      en: 'The database cannot be reached at the moment, please try again shortly (incident {incident})',
    },
  },
  overloaded: {
    status: 503,
    message: {
      cn: '系统繁忙，请稍后重试（编号：{incident}）',
      en: 'The system is busy, please try again shortly (incident {incident})',
    },
  },
  storageFull: {
    status: 503,
    message: {
      cn: '存储空间已满，数据未能保存，请联系管理员（编号：{incident}）',
      en: 'The storage is full and nothing was saved, please contact the administrator (incident {incident})',
    },
  },
  filesUnreachable: {
    status: 503,
    message: {
      cn: '文件存储暂时无法访问，请稍后重试（编号：{incident}）',
      en: 'The file storage cannot be reached at the moment, please try again shortly (incident {incident})',
    },
  },
  behind: {
    status: 503,
    message: {
      cn: '系统配置正在更新，请稍后重试（编号：{incident}）',
      en: 'The configuration is being updated, please try again shortly (incident {incident})',
    },
  },
  otherSchemas: {
    status: 409,
    message: {
      cn: '其他服务进程已启用另一版配置文件，请先更新本进程的配置文件',
      en: 'Another process has put other schema files in force; bring the files of this one up to date first',
    },
  },
  tooSlow: {
    status: 503,
    message: {
      cn: '处理超时，请缩小范围或稍后重试（编号：{incident}）',
      en: 'The request took too long; please narrow it or try again later (incident {incident})',
    },
  },
  underWay: {
    status: 503,
    message: {
      cn: '上一次提交仍在处理中，请稍后重试',
      en: 'The same request is still being carried out, please try again in a moment',
    },
  },
  busy: {
    status: 409,
    message: {
      cn: '数据正被他人修改，请稍后重试',
      en: 'The record is being changed by someone else, please try again',
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
    message: { cn: '不能按{field}查询或排序', en: '{field} cannot be searched or sorted by' },
  },
  unsortable: { status: 422, message: { cn: '不能按{field}排序', en: '{field} cannot be sorted by' } },
  unsummable: { status: 422, message: { cn: '不能对{field}求和', en: '{field} cannot be summed' } },
  operator: {
    status: 422,
    message: {
      cn: '{field}不支持“{operator}”查询，可用：{allowed}',
      en: '{field} cannot be filtered by "{operator}"; possible: {allowed}',
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
    message: { cn: '没有可列入文件的数据', en: 'None of these records belongs in the file' },
  },
  notMultipart: { status: 422, message: { cn: '请选择要上传的文件', en: 'Please choose a file to upload' } },
  fileTooLarge: { status: 422, message: { cn: '文件大小不能超过{size}MB', en: 'A file must not exceed {size} MB' } },
  uploadQuota: {
    status: 429,
    message: {
      cn: '24小时内上传的文件已达{size}MB上限，请稍后再传；确需更多，请联系系统管理员',
      en: 'You have uploaded {size} MB within a day, which is the limit. Please try again later, or ask the administrator for more',
    },
  },
  fileType: { status: 422, message: { cn: '不支持该文件类型', en: 'This file type is not accepted' } },
  fileContent: {
    status: 422,
    message: { cn: '文件内容与扩展名不符', en: 'The content of the file does not match its extension' },
  },
  fileEmpty: { status: 422, message: { cn: '文件为空', en: 'The file is empty' } },
  sheetNone: {
    status: 422,
    message: {
      cn: '文件为空（0字节），请选择填写好的.xlsx文件',
      en: 'The file is empty (0 bytes), please choose the .xlsx file that you filled in',
    },
  },
  sheetTooLarge: {
    status: 422,
    message: {
      cn: '文件超过{size}MB，请拆分为多个文件后导入',
      en: 'The file exceeds {size} MB, please split it into several files',
    },
  },
  sheetOld: {
    status: 422,
    message: {
      cn: '这是旧版Excel文件（.xls），请用表格软件打开并另存为.xlsx后再导入',
      en: 'This is an old Excel file (.xls); please open it and save it as .xlsx',
    },
  },
  sheetEncrypted: {
    status: 422,
    message: {
      cn: '工作簿已加密，请取消打开密码并保存后再导入',
      en: 'The workbook is encrypted, please remove its password and save it again',
    },
  },
  sheetText: {
    status: 422,
    message: {
      cn: '这是文本文件（如CSV或网页），不是Excel工作簿，请用表格软件打开并另存为.xlsx',
      en: 'This is a text file (such as CSV or a web page), not an Excel workbook, please open it in a spreadsheet program and save it as .xlsx',
    },
  },
  sheetKind: {
    status: 422,
    message: {
      cn: '该文件不是Excel工作簿，请选择.xlsx文件',
      en: 'The file is not an Excel workbook, please choose an .xlsx file',
    },
  },
  sheetBook: {
    status: 422,
    message: {
      cn: '这是压缩包或其他类型的文档，不是.xlsx工作簿，请用表格软件打开并另存为.xlsx',
      en: 'This is an archive or another kind of document, not an .xlsx workbook, please open it in a spreadsheet program and save it as .xlsx',
    },
  },
  sheetBroken: {
    status: 422,
    message: {
      cn: '文件已损坏或不完整，请用表格软件打开并重新保存后再导入',
      en: 'The file is damaged or incomplete, please open it in a spreadsheet program and save it again',
    },
  },
  sheetMissing: {
    status: 422,
    message: {
      cn: '工作簿中没有可见的工作表，请下载模板填写后导入',
      en: 'The workbook has no visible sheet, please download the template and fill it in',
    },
  },
  sheetUnpacked: {
    status: 422,
    message: {
      cn: '文件解压后内容过大，无法读取，请将数据复制到新下载的模板中再导入',
      en: 'The content of the file is too large once unpacked, please copy the data into a newly downloaded template',
    },
  },
  sheetRows: {
    status: 422,
    message: {
      cn: '数据超过{limit}行，请拆分为多个文件后导入',
      en: 'There are more than {limit} rows of data, please split them into several files',
    },
  },
  sheetColumns: {
    status: 422,
    message: {
      cn: '单元格{cell}有内容，但表格最多{limit}列，请删除多余的列',
      en: 'Cell {cell} has content, but a sheet may have at most {limit} columns, please delete the ones that are too many',
    },
  },
  sheetCell: {
    status: 422,
    message: {
      cn: '单元格{cell}的内容超过{limit}个字符，请缩短',
      en: 'The content of cell {cell} exceeds {limit} characters, please shorten it',
    },
  },
  importTemplate: {
    status: 422,
    message: {
      cn: '导入模板不正确：{columns}。请下载最新模板',
      en: 'Wrong template: {columns}. Please download the latest one',
    },
  },
  importEmpty: { status: 422, message: { cn: '文件中没有数据', en: 'The file has no data' } },
  importStatus: {
    status: 409,
    message: { cn: '该批次当前状态不允许此操作', en: 'This is not possible in the current state of the batch' },
  },
  importEdited: {
    status: 409,
    message: {
      cn: '以下行写入后已被修改或使用，不能撤销：{rows}',
      en: 'These rows were changed or used since, so the import cannot be undone: {rows}',
    },
  },
  importFollowed: {
    status: 409,
    message: {
      cn: '导入产生的记录已被修改或使用，不能撤销：{names}',
      en: 'Records that the import made were changed or used since, so it cannot be undone: {names}',
    },
  },
  importGuarded: {
    status: 409,
    message: { cn: '不能撤销此导入：{why}', en: 'The import cannot be undone: {why}' },
  },
  passwordRule: {
    status: 422,
    message: {
      cn: '密码须为8至20位，且至少包含字母、数字、符号中的两种',
      en: 'A password has 8 to 20 characters and at least two of letters, digits and symbols',
    },
  },
  holdsMore: {
    status: 403,
    message: {
      cn: '该用户的权限或数据范围超出您自己的，不能重置其密码',
      en: 'This user holds more than you do, in permissions or data scope: you cannot reset the password',
    },
  },
  passwordCommon: {
    status: 422,
    message: {
      cn: '该密码为空、过于常见或与登录名、姓名相同，请换一个',
      en: 'This password is empty, too common, or your own name: please choose another',
    },
  },
  passwordLapsed: {
    status: 403,
    message: {
      cn: '初始密码已过期，请联系管理员重新设置',
      en: 'The password that you were given was not used in time, please ask an administrator for another',
    },
  },
  passwordSame: {
    status: 422,
    message: { cn: '新密码不能与原始密码相同', en: 'The new password must differ from the original' },
  },
  passwordOriginal: { status: 422, message: { cn: '原始密码错误', en: 'The original password is wrong' } },
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
  readOnly: { cn: '{label}不能修改', en: '{label} cannot be changed' },
  unique: { cn: '{label}已存在', en: '{label} already exists' },
  uniqueItem: { cn: '{label}“{item}”已存在', en: '{label} "{item}" already exists' },
  reference: { cn: '{label}不存在或已停用', en: '{label} does not exist or is disabled' },
  treeCycle: { cn: '{label}不能是自己或自己的下级', en: '{label} cannot be the record itself or one below it' },
  treeDepth: { cn: '最多{depth}级', en: 'At most {depth} levels' },
  unnamedFiles: {
    cn: '{label}：文件名应包含且只包含所选记录中一条的号码：{files}',
    en: '{label}: the name of each file holds the number of exactly one of the records: {files}',
  },
  file: { cn: '{label}的文件不存在，请重新上传', en: 'A file of {label} does not exist, please upload it again' },
  beyondOwn: {
    cn: '{label}超出您自己的权限或数据范围，不能授予',
    en: '{label} exceeds your own permissions or data scope, so you cannot grant it',
  },
  row: { cn: '{label}中有不属于本记录的行', en: '{label} holds a row of another record' },
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

/**
 * Refuses with the problems of a save; the message is the first one's, so that it is useful where no form shows the
 * fields.
 */
export function invalid(found: FieldProblem[]): Refusal {
  return new Refusal('invalid', { problems: found, text: found[0]?.message })
}
