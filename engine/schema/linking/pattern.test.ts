import { expect, test } from 'vitest'
import { leastLength } from './pattern.ts'

test.each([
  ['^[a-z][a-zA-Z0-9]{1,29}$', 2],
  ['^[0-9]{18}$', 18],
  ['^\\d{15}(\\d{2}[0-9X])?$', 15],
  ['^(ab|cde)+x*$', 2],
  ['^(?=.*[A-Z])(?:a|bb){3}\\.$', 4],
  ['^\\p{Script=Han}{2,}$', 2],
  ['^[\\]a]\\u{4e00}\\bb', 3],
  ['', 0],
  ['a|', 0],
])('%s takes at least %d characters', (pattern, least) => expect(leastLength(pattern)).toBe(least))
