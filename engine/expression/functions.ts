import type { Label } from '../model/model.ts'
import { addDays, addMonths, daysBetween, hoursBetween, monthsBetween, workdaysBetween } from './calendar.ts'
import { Decimal, decimalOf } from './decimal.ts'
import { isMap, type Operand, type OperandMap } from './operand.ts'
import { common, isSame } from './operators.ts'
import { isOpen, unify, type Type } from './type.ts'
import { declare, type FunctionDeclaration } from './declare.ts'
import { countCn, countEn, size } from './methods.ts'

/** In SQL, `greatest` and `least` ignore nulls. */
const both = (sql: string) => `case when {1} is not null and {2} is not null then ${sql} end`
const together = ([first, second]: Type[]) => unify(first, second) && common(first, second)

const sizeOf = 'size(value: string | list | map): decimal'

/** By name, with their signatures; includes CEL's own `startsWith`, `endsWith`, `contains` and `size`. */
export const functions: Record<string, FunctionDeclaration> = {
  now: declare(
    'now(): string',
    '当前时间 yyyy-MM-dd HH:mm:ss',
    'The current time, yyyy-MM-dd HH:mm:ss',
    [],
    'string',
    (_, now) => now,
    { clock: true },
  ),
  today: declare(
    'today(): string',
    '当前日期 yyyy-MM-dd',
    'The current date, yyyy-MM-dd',
    [],
    'string',
    (_, now) => now.slice(0, 10),
    { clock: true },
  ),
  month: declare(
    'month(): string',
    '当前月份 yyyy-MM',
    'The current month, yyyy-MM',
    [],
    'string',
    (_, now) => now.slice(0, 7),
    { clock: true },
  ),
  addDays: declare(
    'addDays(date: string, days: decimal): string',
    '若干天之后的日期',
    'The date so many days later',
    ['string', 'decimal'],
    'string',
    ([date, days]) => addDays(date, days.toNumber()),
  ),
  addMonths: declare(
    'addMonths(dateOrMonth: string, months: decimal): string',
    '若干个月之后的日期或月份',
    'The date or month so many months later',
    ['string', 'decimal'],
    'string',
    ([date, months]) => addMonths(date, months.toNumber()),
  ),
  daysBetween: declare(
    'daysBetween(from: string, to: string): decimal',
    '两个日期相差的天数',
    'How many days from one date to another',
    ['string', 'string'],
    'decimal',
    ([from, to]) => decimalOf(daysBetween(from, to)),
    { sql: '({2}::date - {1}::date)::numeric' },
  ),
  hoursBetween: declare(
    'hoursBetween(from: string, to: string): decimal',
    '两个时间相差的整小时数',
    'How many whole hours from one time to another',
    ['string', 'string'],
    'decimal',
    ([from, to]) => decimalOf(hoursBetween(from, to)),
  ),
  workdaysBetween: declare(
    'workdaysBetween(from: string, to: string): decimal',
    '其后至另一日期（含）的工作日数（周一至周五，不计节假日）',
    'Mondays to Fridays after one date up to another; holidays are not known',
    ['string', 'string'],
    'decimal',
    ([from, to]) => decimalOf(workdaysBetween(from, to)),
  ),
  monthsBetween: declare(
    'monthsBetween(from: string, to: string): decimal',
    '两个日期相差的整月数',
    'How many whole months from one date to another',
    ['string', 'string'],
    'decimal',
    ([from, to]) => decimalOf(monthsBetween(from, to)),
  ),
  round: declare(
    'round(value: decimal, digits: decimal): decimal',
    '四舍五入到若干位小数',
    'Rounded half up to so many decimal places',
    ['decimal', 'decimal'],
    'decimal',
    ([value, digits]) =>
      digits.isInteger() && digits.gte(0) && digits.lte(30)
        ? value.toDecimalPlaces(digits.toNumber(), Decimal.ROUND_HALF_UP)
        : null,
    { sql: 'case when {2} = trunc({2}) and {2} between 0 and 30 then round({1}, {2}::integer) end' },
  ),
  decimal: declare(
    'decimal(text: string): decimal',
    '文本转数值；不是数值则为空',
    'A text as a number; null if it is none',
    ['ordered'],
    'decimal',
    ([value]) => decimalOf(value),
  ),
  string: declare(
    'string(value: decimal): string',
    '数值转文本',
    'A number as text',
    ['ordered'],
    'string',
    ([value]) => (typeof value === 'string' ? value : value.toFixed()),
  ),
  min: declare(
    'min(a: decimal, b: decimal): decimal',
    '两者中较小的；也用于日期',
    'The smaller of two; dates too',
    ['ordered', 'ordered'],
    together,
    ([a, b]) => pick(a, b, (order) => order <= 0),
    { sql: both('least({1}, {2})') },
  ),
  max: declare(
    'max(a: decimal, b: decimal): decimal',
    '两者中较大的；也用于日期',
    'The greater of two; dates too',
    ['ordered', 'ordered'],
    together,
    ([a, b]) => pick(a, b, (order) => order >= 0),
    { sql: both('greatest({1}, {2})') },
  ),
  lower: declare('lower(text: string): string', '转为小写', 'In lower case', ['string'], 'string', ([text]) =>
    text.toLowerCase(),
  ),
  upper: declare('upper(text: string): string', '转为大写', 'In upper case', ['string'], 'string', ([text]) =>
    text.toUpperCase(),
  ),
  trim: declare(
    'trim(text: string): string',
    '去掉首尾空白',
    'Without white space around it',
    ['string'],
    'string',
    ([text]) => text.trim(),
  ),
  coalesce: declare(
    'coalesce(a, b)',
    '第一个值；为空则取第二个',
    'The first value, or the second where it is null',
    ['any', 'any'],
    ([first, second]) => unify(first, second),
    ([first, second]) => (first === null || first === '' ? second : first),
    { takesNull: true, sql: "case when {1} is null or {1}::text = '' then {2} else {1} end" },
  ),
  with: declare(
    'with(row: map, key: string, value): map',
    '换了一个值的对象',
    'The map with another value under one of its keys',
    ['any', 'string', 'any'],
    ([row]) => (row === 'any' || (typeof row === 'object' && 'keys' in row) ? row : undefined),
    ([row, key, value]) => (isMap(row) ? { ...row, [key]: value } : null),
    { takesNull: true },
  ),
  sum: declare(
    'sum(numbers: list): decimal',
    '列表中数值之和，空值不计',
    'What the numbers of a list add up to; missing ones do not count',
    ['any'],
    ([type]) =>
      type === 'any' ||
      (typeof type === 'object' &&
        'list' in type &&
        (type.list === 'any' || type.list === 'null' || type.list === 'decimal'))
        ? 'decimal'
        : undefined,
    ([list]) =>
      Array.isArray(list)
        ? list.reduce<Decimal>(
            (total, operand) => (operand instanceof Decimal ? total.plus(operand) : total),
            new Decimal(0),
          )
        : new Decimal(0),
    { takesNull: true },
  ),
  names: declare(
    'names(map): list',
    '对象的键',
    'The keys of a map',
    ['any'],
    ([type]) => (isOpen(type) || (typeof type === 'object' && 'keys' in type) ? { list: 'string' } : undefined),
    ([map]) => (isMap(map) ? Object.keys(map) : []),
  ),
  size: declare(sizeOf, countCn, countEn, ['counted'], 'decimal', ([value]) => size(value), { takesNull: true }),
  changes: declare(
    'changes(): map',
    '本次保存的变更：字段名 → [原值, 新值]',
    'What the save changes: field → [before, after]',
    [],
    { keys: null },
    (_, _now, scope) => changesOf(scope) ?? null,
    { clock: true },
  ),
  changesSince: declare(
    'changesSince(earlier: map): map',
    '先前的变更与本次保存的变更合并：字段名 → [最初的值, 新值]',
    'Earlier changes and what the save changes on top of them: field → [the first before, after]',
    ['any'],
    { keys: null },
    ([earlier], _now, scope) => merged(isMap(earlier) ? earlier : {}, changesOf(scope) ?? {}),
    { clock: true, takesNull: true },
  ),
}

/** Part of CEL, but not allowed here, with the reason. */
export const forbidden: Record<string, Label> = {
  matches: {
    cn: '不能使用 matches：正则表达式可能极慢；请用 startsWith、endsWith 或 contains',
    en: 'matches cannot be used: a regular expression may take forever. Use startsWith, endsWith or contains',
  },
  has: {
    cn: '不需要 has：没有的值就是 null，请写 != null',
    en: 'has is not needed: what is missing is null, so write != null',
  },
}

const changesOf = (scope: unknown) => (scope as { changes?: OperandMap }).changes

/** A value that was changed back is no longer a change. */
function merged(earlier: OperandMap, later: OperandMap): OperandMap {
  const first = (name: string, otherwise: unknown) =>
    Array.isArray(earlier[name]) ? (earlier[name][0] as unknown) : otherwise
  const pairs = Object.entries(later).map(
    ([name, pair]) => [name, [first(name, (pair as unknown[])[0]), (pair as unknown[])[1]]] as const,
  )
  return Object.fromEntries([
    ...Object.entries(earlier).filter(([name]) => !Object.hasOwn(later, name)),
    ...pairs.filter(([, [before, after]]) => !isSame(before ?? null, after ?? null)),
  ])
}

function pick(a: string | Decimal, b: string | Decimal, first: (order: number) => boolean): Operand {
  if (a instanceof Decimal && b instanceof Decimal) return first(a.comparedTo(b)) ? a : b
  if (typeof a !== 'string' || typeof b !== 'string') return null
  return first(a < b ? -1 : a > b ? 1 : 0) ? a : b
}
