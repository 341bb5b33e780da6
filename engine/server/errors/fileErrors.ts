import type { Label } from '../../model/model.ts'

/** Refusals about uploaded and stored files. */
export const fileErrors = {
  unknownFile: { status: 404, message: { cn: '文件不存在', en: 'The file does not exist' } },
  fileGone: {
    status: 404,
    message: {
      cn: '存储中找不到文件（{id}，服务进程{process}），请重新上传或联系管理员',
      en: 'The file is not in the storage ({id}, process {process}); please upload it again or contact the administrator',
    },
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
} satisfies Record<string, { status: number; message: Label }>
