import { expect, test } from 'vitest'
import { composed, joinedBy, languageFor, localeOf, semicolon, tagOf, textIn } from './language.ts'

test.each([
  ['cn', ['cn', 'en'], 'cn'],
  ['zh-CN', ['cn', 'en'], 'cn'],
  ['ZH-TW', ['cn', 'en'], 'cn'],
  ['en-GB', ['cn', 'en'], 'en'],
  ['de-AT', ['en', 'de'], 'de'],
  ['de', ['de-AT', 'de-CH'], 'de-AT'],
  ['de-CH', ['de-AT', 'de-CH'], 'de-CH'],
  ['cn', ['zh', 'en'], 'zh'],
  ['fr', ['en', 'de'], undefined],
  ['', ['en'], undefined],
  [undefined, ['en'], undefined],
])('for %j of %j the language is %j', (requested, languages, found) =>
  expect(languageFor(requested, languages)).toBe(found),
)

test('reads a text in the language, a sister language, English, the first listed, or any', () => {
  const text = { cn: '中', en: 'E', de: 'D', fr: 'F' }
  expect(['cn', 'de', 'it', 'zh', 'zh-TW', 'de-AT'].map((each) => textIn(text, each))).toEqual([
    '中',
    'D',
    'E',
    '中',
    '中',
    'D',
  ])
  expect(textIn({ fr: 'F', de: 'D' }, 'it', ['de', 'fr'])).toBe('D')
  expect(textIn({ fr: 'F', de: 'D' }, 'it')).toBe('F')
  expect(textIn({ cn: '中' }, 'de')).toBe('中')
  expect(textIn({}, 'de')).toBe('')
  // An empty text counts as a text.
  expect(textIn({ cn: '中', en: '' }, 'en')).toBe('')
})

test('a composed text has every language of its parts', () => {
  const [prefix, label] = [
    { cn: '请输入', en: 'Enter ' },
    { en: 'Model', de: 'Modell' },
  ]
  expect(composed([prefix, label], (read) => read(prefix) + read(label))).toEqual({
    cn: '请输入Model',
    en: 'Enter Model',
    de: 'Enter Modell',
  })
  expect(joinedBy(semicolon, [prefix, label])).toMatchObject({ cn: '请输入；Model', de: 'Enter ; Modell' })
})

test('a language has a tag and a locale, which is English for an invalid tag', () => {
  expect(['cn', 'en', 'de', 'pt-BR', 'de_DE'].map(localeOf)).toEqual(['zh-CN', 'en-US', 'de', 'pt-BR', 'en-US'])
  expect(['cn', 'en', 'de'].map(tagOf)).toEqual(['zh-CN', 'en', 'de'])
})
