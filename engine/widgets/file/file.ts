import { boolean, integer, list, shape, string } from '../../model/model.ts'
import type { FileValue, Widget } from '../../model/model.ts'
import { fileWidget } from './files.ts'
import type { FileOptions } from './files.ts'

const options = shape({
  max: integer({
    default: 1,
    minimum: 1,
    about: { cn: '最多几个文件，99 为不显示限制', en: 'Maximum number of files; 99 hides the limit' },
  }),
  extensions: list(string({ pattern: '^\\.[A-Za-z0-9]+$', like: '.pdf' }), {
    default: [],
    about: { cn: '扩展名，如 .pdf；空为不限', en: 'Accepted extensions, such as .pdf; empty = all' },
  }),
  maxSize: integer({
    default: 20,
    minimum: 1,
    about: { cn: '单个文件上限（MB）', en: 'Maximum size of a file in MB' },
  }),
  public: boolean({
    default: false,
    about: {
      cn: '知道地址即可下载，无需登录，如手机安装包；敏感字段除外',
      en: 'Anyone who knows the address can download it without signing in, as a mobile app needs; never for sensitive files',
    },
  }),
})

/** Uploaded files, shown as links with their names. */
export const file: Widget<FileOptions & { public: boolean }, FileValue[]> = {
  type: 'file',
  alsoCalled: ['attachment'],
  label: { cn: '文件', en: 'File' },
  options,
  ...fileWidget,
  isPublic: (given) => given.public,
  width: () => 200,
}
