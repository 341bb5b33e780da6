import { expect, test } from 'vitest'
import { labelWithin } from './labelWithin.ts'

test.each([
  ['Reason', 'reason'],
  ['Business license image', 'business license image'],
  ['ID number', 'ID number'],
  ['USCC', 'USCC'],
  ['WeChat', 'WeChat'],
  ['No. of employees', 'no. of employees'],
  ['English name', 'English name'],
  ['A', 'A'],
  ['1st month', '1st month'],
  ['e-mail', 'e-mail'],
  ['', ''],
])('%s within a sentence is %s', (en, within) => {
  expect(labelWithin({ cn: '原因', en })).toEqual({ cn: '原因', en: within })
})
