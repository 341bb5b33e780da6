import { integer, list, shape, string } from '../../model/model.ts'
import type { FileValue, Widget } from '../../model/model.ts'
import { fileWidget } from '../file/files.ts'
import type { FileOptions } from '../file/files.ts'

const options = shape({
  max: integer({
    default: 1,
    minimum: 1,
    about: { cn: '最多几张，99 为不显示限制', en: 'Maximum number; 99 hides the limit' },
  }),
  extensions: list(string({ pattern: '^\\.[A-Za-z0-9]+$', like: '.png' }), {
    default: ['.jpg', '.jpeg', '.png', '.gif'],
    about: { cn: '扩展名', en: 'The accepted extensions' },
  }),
  maxSize: integer({
    default: 20,
    minimum: 1,
    about: {
      cn: '单张上限（MB），不超过管理员设置的上限',
      en: 'Maximum size of a picture in MB, within what administrators allow',
    },
  }),
})

/** Uploaded pictures, shown as thumbnails. */
export const image: Widget<FileOptions, FileValue[]> = {
  type: 'image',
  alsoCalled: ['picture'],
  label: { cn: '图片', en: 'Image' },
  options,
  ...fileWidget,
  width: () => 120,
}
