import { expect, it } from 'vitest'
import { md5 } from './passwords.ts'
import { isRefused } from './refusedPasswords.ts'

it('refuses empty, very short and common passwords by their digests', () => {
  for (const word of ['', '1', 'ab', '  ', '123456', 'Password1', 'PASSWORD', 'admin@123', 'Qwer1234'])
    expect(isRefused(md5(word), []), word).toBe(true)
  expect(isRefused(md5('Another-2026'), [])).toBe(false)
})

it("refuses a user's own names", () => {
  for (const word of ['zhangSan01', 'zhangsan01', 'ZhangSan01', 'ZHANGSAN01'])
    expect(isRefused(md5(word), ['zhangSan01', '13800001111']), word).toBe(true)
  expect(isRefused(md5('13800001111'), ['zhangSan01', '13800001111'])).toBe(true)
  expect(isRefused(md5('zhangSan02'), ['zhangSan01'])).toBe(false)
})
