import { Decimal } from './decimal.ts'
import { isMap } from './operand.ts'
import { isOpen } from './type.ts'
import { declare, type Arguments, type FunctionDeclaration } from './declare.ts'

export const size = (value: Arguments['counted'] | null) =>
  new Decimal(value === null ? 0 : isMap(value) ? Object.keys(value).length : [...value].length)

export const countCn = '字数、项数；空值为 0'
export const countEn = 'How many characters or items; 0 for null'

export const methods: Record<string, FunctionDeclaration> = {
  startsWith: declare(
    'text.startsWith(start: string): boolean',
    '以此文本开头',
    'Begins with this text',
    ['string', 'string'],
    'boolean',
    ([text, start]) => text.startsWith(start),
    { method: true },
  ),
  endsWith: declare(
    'text.endsWith(end: string): boolean',
    '以此文本结尾',
    'Ends with this text',
    ['string', 'string'],
    'boolean',
    ([text, end]) => text.endsWith(end),
    { method: true },
  ),
  contains: declare(
    'text.contains(part: string): boolean',
    '包含此文本',
    'Contains this text',
    ['string', 'string'],
    'boolean',
    ([text, part]) => text.includes(part),
    { method: true },
  ),
  substring: declare(
    'text.substring(from: decimal, to: decimal): string',
    '从第几个字符（从0数起）到第几个字符之前',
    'The characters from one place, counted from 0, up to another',
    ['string', 'decimal', 'decimal'],
    'string',
    ([text, from, to]) => [...text].slice(Math.max(0, from.toNumber()), Math.max(0, to.toNumber())).join(''),
    { method: true },
  ),
  split: declare(
    'text.split(between: string): list',
    '按分隔文本拆开，去掉首尾空白',
    'The parts of a text between these, without white space around them',
    ['string', 'string'],
    { list: 'string' },
    ([text, between]) => text.split(between).map((part) => part.trim()),
    { method: true },
  ),
  join: declare(
    'list.join(between: string): string',
    '把列表中的文本连成一个，空值不计',
    'The texts of a list as one, with this between them; missing ones do not count',
    ['any', 'string'],
    ([list]) =>
      isOpen(list) || (typeof list === 'object' && 'list' in list && (isOpen(list.list) || list.list === 'string'))
        ? 'string'
        : undefined,
    ([list, between]) =>
      Array.isArray(list) ? list.filter((operand) => typeof operand === 'string').join(between) : null,
    { method: true },
  ),
  size: declare('value.size(): decimal', countCn, countEn, ['counted'], 'decimal', ([value]) => size(value), {
    method: true,
    takesNull: true,
  }),
}
