/** Uploaded files as a value: the common part of the widgets `file` and `image`. */
import { comma, textIn } from '../../model/language.ts'
import type { FileValue, Label, Problem, Unread, Widget, WidgetContext } from '../../model/model.ts'
import { problem } from '../problem.ts'
import { isNothing } from '../selection.ts'

export interface FileOptions {
  max: number
  extensions: string[]
  maxSize: number
}

/** With this limit, the text that states the limit is hidden (specification, section 9). */
export const unlimited = 99

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function normalizeFile(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { url, name, size = 0, status = 'success' } = value
  return { url, name, size, status }
}

/** A file or a list of files → `{ url, name, size, status }[]`. */
function normalizeFiles(value: unknown): Unread {
  if (isNothing(value)) return null
  const files = (Array.isArray(value) ? value : [value]).filter((file) => file !== null && file !== undefined)
  return files.length === 0 ? null : files.map(normalizeFile)
}

/** `.JPG` of `Licence.JPG` → `.jpg`; without one ''. */
export const extensionOf = (name: string) => (/\.[^./\\]+$/.exec(name)?.[0] ?? '').toLowerCase()

/** An address from our own upload, not just one that looks like it. */
const isOwn = (url: unknown) =>
  typeof url === 'string' && /^\/api\/files\/[^\s"'<>\\]+$/.test(url) && !url.includes('..') && !url.includes('//')

/** Checks name and size of a file, both before and after the upload. */
export function checkFile(
  file: { name: string; size: number },
  options: FileOptions,
  context: Pick<WidgetContext, 'label'>,
): Problem | undefined {
  const extensions = options.extensions.map((extension) => extension.toLowerCase())
  if (extensions.length > 0 && !extensions.includes(extensionOf(file.name))) {
    const list = options.extensions.join(' ')
    return problem('extension', { cn: '仅支持{list}格式的文件', en: 'Only {list} files are accepted' }, context, {
      list,
    })
  }
  if (file.size > options.maxSize * 1024 * 1024) {
    return problem('size', { cn: '文件大小不能超过{size}MB', en: 'A file must not exceed {size} MB' }, context, {
      size: options.maxSize,
    })
  }
  return undefined
}

export const tooManyFiles: Label = { cn: '超出文件上传限制个数', en: 'exceeds the file upload limit' }
const unfinished: Record<string, Label> = {
  uploading: { cn: '文件正在上传，请稍候', en: 'The upload is not finished yet, please wait' },
  failed: { cn: '文件上传失败，请重试或移除', en: 'The upload failed, please retry or remove the file' },
}
const invalid: Label = { cn: '请上传正确的{label}', en: 'Please upload a valid {label}' }

function checkFiles(value: unknown, options: FileOptions, context: Pick<WidgetContext, 'label'>): Problem | undefined {
  if (!Array.isArray(value)) return problem('file', invalid, context)
  if (value.length > options.max) return problem('limit', tooManyFiles, context)
  for (const file of value) {
    const known =
      isRecord(file) &&
      typeof file.name === 'string' &&
      file.name.length <= 255 &&
      typeof file.size === 'number' &&
      file.size >= 0
    if (!known) return problem('file', invalid, context)
    if (unfinished[String(file.status)]) return problem(String(file.status), unfinished[String(file.status)], context)
    if (file.status !== 'success' || !isOwn(file.url)) return problem('file', invalid, context)
    const found = checkFile(file as unknown as FileValue, options, context)
    if (found) return found
  }
  return undefined
}

/** The common part of file widgets, apart from their names and limits. */
export const fileWidget: Pick<
  Widget<FileOptions, FileValue[]>,
  'prompt' | 'expression' | 'column' | 'files' | 'normalize' | 'check' | 'text' | 'operators' | 'sortable'
> = {
  prompt: 'upload',
  expression: 'list<map>',
  column: () => 'jsonb',
  files: true,
  normalize: normalizeFiles,
  check: checkFiles,
  text: (value: FileValue[], _options, _context, language) =>
    value.map((file) => file.name).join(textIn(comma, language)),
  operators: ['empty'],
  sortable: false,
}
