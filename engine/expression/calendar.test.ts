import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { addDays, addMonths, daysBetween, hoursBetween, monthsBetween, workdaysBetween } from './calendar.ts'

describe('the calendar', () => {
  it.each([
    ['2026-02-27', 2, '2026-03-01'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2026-12-31 23:59:59', 1, '2027-01-01 23:59:59'],
    ['0050-01-01', 1, '0050-01-02'],
    ['2026-02', 1, null],
    ['2026-02-30', 1, null],
    ['2026-01-01', 0.5, null],
    ['9999-12-31', 1, null],
    ['soon', 1, null],
  ])('%s and %s days', (date, days, later) => expect(addDays(date, days)).toBe(later))

  it.each([
    ['2026-01', 1, '2026-02'],
    ['2026-01', -1, '2025-12'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-03-31 08:00:00', -13, '2025-02-28 08:00:00'],
    ['2026-13', 1, null],
    ['2026-01', 1.5, null],
    ['0000-01', -1, null],
  ])('%s and %s months', (date, months, later) => expect(addMonths(date, months)).toBe(later))

  it.each([
    ['2026-01-01', '2026-01-31', 30],
    ['2026-03-01', '2026-02-28', -1],
    ['2026-01-01 23:00:00', '2026-01-02 01:00:00', 1],
    ['2026-01', '2026-01-01', null],
    ['2026-01-01', 'x', null],
  ])('days from %s to %s', (first, second, days) => expect(daysBetween(first, second)).toBe(days))

  it.each([
    ['2026-03-13', '2026-03-13', 0],
    ['2026-03-13 18:00:00', '2026-03-14', 0],
    ['2026-03-13', '2026-03-15', 0],
    ['2026-03-13', '2026-03-16', 1],
    ['2026-03-14', '2026-03-16', 1],
    ['2026-03-15', '2026-03-21', 5],
    ['2026-03-11', '2026-03-26', 11],
    ['2026-03-16', '2026-03-13', null],
    ['1969-12-31', '1970-01-05', 3],
    ['2026-03', '2026-03-13', null],
  ])('working days after %s up to %s', (first, second, days) => expect(workdaysBetween(first, second)).toBe(days))

  it.each([
    ['2026-01-01', '2027-01-01', 12],
    ['2026-01-01', '2026-12-31', 11],
    ['2026-01-31', '2026-02-28', 1],
    ['2026-01-31', '2026-02-27', 0],
    ['2024-02-29', '2025-02-28', 12],
    ['2026-03-01', '2026-01-01', -2],
    ['2026-03-15', '2026-03-15', 0],
    ['2026-01', '2026-03-01', null],
    ['2026-01-01', 'x', null],
  ])('whole months from %s to %s', (first, second, months) => expect(monthsBetween(first, second)).toBe(months))

  it.each([
    ['2026-03-13 10:30:00', '2026-03-15 10:29:59', 47],
    ['2026-03-13 10:30:00', '2026-03-15 10:30:00', 48],
    ['2026-02-28', '2026-03-01 01:00:00', 25],
    ['2026-03-15 10:00:00', '2026-03-15 08:30:00', -1],
    ['2026-03-15 10:00:00', '2026-03-15 09:30:00', 0],
    ['2026-03', '2026-03-15 10:00:00', null],
  ])('whole hours from %s to %s', (first, second, hours) => expect(hoursBetween(first, second)).toBe(hours))

  it('adding and subtracting the same days returns to the start', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: -20_000, max: 20_000 }), (start, days) => {
        const date = addDays('1950-01-01', start)!
        const later = addDays(date, days)!
        expect(daysBetween(date, later)).toBe(days)
        expect(addDays(later, -days)).toBe(date)
      }),
      { seed: 7 },
    )
  })
})
