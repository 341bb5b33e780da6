import { describe, expect, test } from 'vitest'
import { checkCalendar, isCalendar, normalizeCalendar, readCalendarCell } from './calendar.ts'

const context = {
  label: { cn: '日期', en: 'Date' },
  now: () => '2026-03-10 09:30:00',
  dictionary: () => {
    throw new Error('unused')
  },
}

describe('a calendar value', () => {
  test.each(['2024-02-29', '2000-02-29', '1900-01-01', '9999-12-31'])('%s is valid', (text) =>
    expect(isCalendar(text, 'date')).toBe(true),
  )
  test.each([
    '2023-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-10',
    '2026-01-00',
    '1899-12-31',
    '2026-1-1',
    '2026-01-01 00:00:00',
  ])('%s is invalid', (text) => expect(isCalendar(text, 'date')).toBe(false))
  test.each(['2026-03-01 24:00:00', '2026-03-01 23:60:00', '2026-03-01 23:00:60', '2026-02-30 00:00:00'])(
    'the moment %s is invalid',
    (text) => expect(isCalendar(text, 'datetime')).toBe(false),
  )
})

describe('typed dates', () => {
  test.each([
    ['2026/3/1', '2026-03-01'],
    ['2026.3.1', '2026-03-01'],
    ['2026年3月1日', '2026-03-01'],
    ['  2026-03-01 ', '2026-03-01'],
    ['20260301', '20260301'],
    ['2026-03', '2026-03'],
    ['3/1/2026', '3/1/2026'],
    ['2026-03-01 08:00:00', '2026-03-01 08:00:00'],
  ])('%s becomes %s', (typed, canonical) => expect(normalizeCalendar(typed, 'date')).toBe(canonical))
})

describe('serial numbers of spreadsheets', () => {
  test.each([
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [25569, '1970-01-01'],
    [45351, '2024-02-29'],
    [46091.9999, '2026-03-10'],
    [2958465, '9999-12-31'],
  ])('%d is %s', (serial, date) => expect(readCalendarCell(serial, 'date')).toBe(date))

  test.each([0, -5, 2958466, 20260301, Number.NaN, Number.POSITIVE_INFINITY])('%d is no date', (serial) =>
    expect(isCalendar(normalizeCalendar(readCalendarCell(serial, 'date'), 'date'), 'date')).toBe(false),
  )

  test('a moment is rounded to its second', () =>
    expect(readCalendarCell(46091.395833333336, 'datetime')).toBe('2026-03-10 09:30:00'))

  test('a Date contains its wall clock in UTC, whatever the time zone of the machine', () => {
    expect(readCalendarCell(new Date('2026-03-10T23:30:00Z'), 'date')).toBe('2026-03-10')
    expect(readCalendarCell(new Date(Number.NaN), 'date')).toBeInstanceOf(Date)
  })

  test('a date cell keeps its time of day, unless it is midnight', () => {
    expect(readCalendarCell('2026-03-10 09:30:00', 'date')).toBe('2026-03-10 09:30:00')
    expect(readCalendarCell('2026-03-10 00:00:00', 'date')).toBe('2026-03-10')
  })
})

describe('bounds', () => {
  test('today is the day of the business clock, and within the bounds', () => {
    expect(checkCalendar('2026-03-10', { min: 'today', max: 'today' }, context, 'date')).toBeUndefined()
    expect(checkCalendar('2026-03-11', { max: 'today' }, context, 'date')).toMatchObject({ code: 'max' })
    expect(checkCalendar('2026-03-09', { min: 'today' }, context, 'date')).toMatchObject({ code: 'min' })
  })

  test('a date bounds a datetime with all its hours', () => {
    expect(checkCalendar('2026-03-10 23:59:59', { max: 'today' }, context, 'datetime')).toBeUndefined()
    expect(checkCalendar('2026-03-11 00:00:00', { max: '2026-03-10' }, context, 'datetime')).toMatchObject({
      code: 'max',
    })
  })

  test('today bounds a month with the whole month', () => {
    expect(checkCalendar('2026-03', { min: 'today', max: 'today' }, context, 'month')).toBeUndefined()
    expect(checkCalendar('2026-04', { max: 'today' }, context, 'month')?.message).toEqual({
      cn: '日期不能晚于本月',
      en: 'Date cannot be later than the current month',
    })
  })
})
