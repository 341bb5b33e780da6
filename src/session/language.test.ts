// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { initialLanguage, language, ownName } from './language.ts'

test.each([
  ['cn', 'en-US', 'cn'],
  ['en', 'zh-CN', 'en'],
  ['fr', 'en-GB', 'en'],
  [null, 'zh-TW', 'cn'],
  [null, 'ZH', 'cn'],
  [null, 'en', 'en'],
  [null, 'fr-FR', 'cn'],
  [null, '', 'cn'],
  [null, undefined, 'cn'],
] as const)('stored %j and a browser in %j give %s', (stored, browser, spoken) =>
  expect(initialLanguage(stored, browser)).toBe(spoken),
)

test('a choice is stored under erp-locale, set on the page, and passed to listeners', () => {
  const heard: string[] = []
  const stop = language.subscribe(() => heard.push(language.get()))
  language.set('en')
  expect([localStorage.getItem('erp-locale'), document.documentElement.lang, language.get()]).toEqual([
    'en',
    'en',
    'en',
  ])
  language.set('cn')
  expect([localStorage.getItem('erp-locale'), document.documentElement.lang]).toEqual(['cn', 'zh-CN'])
  stop()
  language.set('en')
  expect(heard).toEqual(['en', 'cn'])
})

test.each([
  ['cn', '中文'],
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['not a tag', 'not a tag'],
])('%s is called %s', (code, name) => expect(ownName(code)).toBe(name))
