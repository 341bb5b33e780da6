import { expect, test } from 'vitest'
import { carried } from './carried.ts'

test.each([
  ['idNumber', ['idNumber']],
  ['coalesce(mobile, old.mobile)', ['mobile', 'old.mobile']],
  ['late ? salary : bonus * 2', ['salary', 'bonus']],
  ['contacts.filter(c, c.primary)[0].mobile', ['contacts.mobile']],
  ['contacts.map(c, c.name + c["mobile"])', ['contacts.name', 'contacts.mobile']],
  ['round(-salary / 21.75, 2)', ['salary']],
  // Tested, but not returned.
  ["idNumber == null ? 'none' : 'some'", []],
  ['size(idNumber) + 1', []],
  ["contacts.exists(c, c.mobile == '1')", []],
  ["idNumber.startsWith('11') && salary > 1", []],
  ['this does not parse', []],
])('finds the fields that the value of %s carries', (text, names) => {
  expect(carried(text)).toEqual(names)
})
