import { expect, test } from 'vitest'
import { loadLocale } from './loadLocale.ts'

test.each([
  ['de', 'de', 'de'],
  ['de-AT', 'de', 'de-at'],
  ['pt-BR', 'pt-br', 'pt-br'],
  ['ja', 'ja', 'ja'],
  ['zh-TW', 'zh-tw', 'zh-tw'],
  ['en-GB', 'en-gb', 'en-gb'],
  // A language with few speakers: neither library has it.
  ['gsw', undefined, undefined],
])('for %s antd has %s and dayjs %s', async (language, controls, calendar) => {
  const { antd, dates } = await loadLocale(language)
  expect([antd?.locale, dates?.name]).toEqual([controls, calendar])
})
