import { describe, expect, test } from 'vitest'
import { literalUses } from './literals.ts'

const uses = (text: string) => literalUses(text).map(({ text: literal, path }) => [path.join('.'), literal])

describe('the literals that stand for values', () => {
  test.each([
    ["type == 'a'", [['type', 'a']]],
    ["'a' != old.type", [['old.type', 'a']]],
    [
      "type in ['a', 'b'] && size(name) > 0",
      [
        ['type', 'a'],
        ['type', 'b'],
      ],
    ],
    ["'a' in types", [['types', 'a']]],
    ["contacts.exists(c, c.kind == 'a')", [['contacts.kind', 'a']]],
    [
      "contacts.filter(c, c.kind == 'a').exists(d, d.kind == 'b')",
      [
        ['contacts.kind', 'a'],
        ['contacts.kind', 'b'],
      ],
    ],
    [
      "coalesce(type, other) == (n > 1 ? 'a' : 'b')",
      [
        ['type', 'a'],
        ['type', 'b'],
      ],
    ],
    [
      "n > 1 ? 'a' : coalesce(type, 'b')",
      [
        ['', 'a'],
        ['', 'b'],
      ],
    ],
    ["name.startsWith('a')", []],
    ['type == ', []],
  ])('%s', (text, expected) => {
    expect(uses(text)).toEqual(expected)
  })

  test.each([
    ["coalesce(type, 'none') == 'a'", [true]],
    ["type == coalesce(other, 'a')", [true]],
    ["type == (n > 1 ? 'a' : 'b')", [undefined, undefined]],
  ])('%s: the compared value may be something else', (text, expected) => {
    expect(literalUses(text).map(({ mayDiffer }) => mayDiffer)).toEqual(expected)
  })

  test('are found with their position', () => {
    expect(literalUses("n > 1 && type == 'ab'")[0]).toMatchObject({ start: 17, end: 21 })
  })
})
