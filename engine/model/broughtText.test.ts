import { expect, it } from 'vitest'
import { broughtParts, broughtPattern } from './broughtText.ts'

it('finds what a regular expression finds', () => {
  const letters = ['-', 'a', '工资', '\n']
  const texts = ['']
  for (const text of texts) if (text.length < 6) texts.push(...letters.map((letter) => text + letter))
  for (const pattern of ['{}', '{}-{}工资', '{}-{}', '-{}a{}-', 'a', '{}--{}a{}', '-{}-'])
    for (const text of texts)
      expect(broughtParts(pattern, text), JSON.stringify([pattern, text])).toEqual(
        new RegExp(broughtPattern(pattern), 's').exec(text)?.slice(1),
      )
})

it('is not slowed down by many separators', () => {
  expect(broughtParts('{}-{}工资', '-'.repeat(300_000))).toBeUndefined()
})
