import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sign } from './sign.ts'

/** The text to digest is written out by hand for each case. */
const digest = (text: string) => createHash('md5').update(text, 'utf8').digest('hex').toUpperCase()

test.each<[string, Record<string, unknown>, string, string]>([
  ['sorts the fields by name', { b: '2', a: '1' }, 'key', 'keya1b2key'],
  [
    'sorts capitals before small letters, and numbers before both',
    { b: 1, B: 2, a: 3, 9: 4, 10: 5 },
    'k',
    'k10594B2a3b1k',
  ],
  [
    'writes numbers and truths as they are read',
    { n: 12.5, zero: 0, yes: true, no: false },
    's',
    'sn12.5nofalseyestruezero0s',
  ],
  ['keeps an empty text', { name: '', id: 7 }, 'S3cret', 'S3cretid7nameS3cret'],
  ['takes Chinese as UTF-8', { name: '客户', code: 'C000001' }, '密钥', '密钥codeC000001name客户密钥'],
  [
    'leaves out objects, lists and what is missing',
    { a: 1, o: { a: 2 }, l: [1, 2], n: null, u: undefined, z: 'x' },
    'key',
    'keya1zxkey',
  ],
  ['wraps nothing at all', {}, 'key', 'keykey'],
])('a signature %s', (_, fields, secret, text) => expect(sign(fields, secret)).toBe(digest(text)))

test('a signature is an MD5 in upper case', () => {
  expect(sign({ b: '2', a: '1' }, 'key')).toBe('3A7635F0988AF09A53DF1A3CC1068790')
})

test('another secret, name or value gives another signature', () => {
  const signatures = [sign({ a: '1' }, 'k'), sign({ a: '1' }, 'l'), sign({ b: '1' }, 'k'), sign({ a: '2' }, 'k')]
  expect(new Set(signatures).size).toBe(4)
})
