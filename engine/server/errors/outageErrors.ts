import type { Label } from '../../model/model.ts'

/** Refusals about a server that cannot serve the request now. */
export const outageErrors = {
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
      en: 'Another process has put a different set of schema files in force; update the files of this process first',
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
} satisfies Record<string, { status: number; message: Label }>
