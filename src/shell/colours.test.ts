import { expect, test } from 'vitest'
import { coloursOf, contrast, mix, readableOn } from './colours.ts'

const themes = ['#1890ff', '#ffec3d', '#13c2c2', '#ffffff', '#000000', '#304156']

test('computes contrast as defined by WCAG', () => {
  expect(contrast('#ffffff', '#ffffff')).toBeCloseTo(1, 5)
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
})

test('mixes two colours', () => expect(mix('#ff0000', '#ffffff', 0.1)).toBe('#ffe6e6'))

test.each(themes)('any chosen colour is readable: %s', (theme) => {
  for (const [isDark, grounds] of [
    [false, ['#ffffff', mix(theme, '#ffffff', 0.1)]],
    [true, ['#141414', '#1f1f1f', mix(theme, '#1f1f1f', 0.18)]],
  ] as const) {
    const { accent, accentFill } = coloursOf(theme, isDark)
    for (const ground of grounds) expect(contrast(accent, ground), `${accent} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    expect(contrast(accentFill, '#ffffff')).toBeGreaterThanOrEqual(4.5)
  }
})

test('a readable colour stays as chosen', () => expect(readableOn(['#ffffff'], '#304156')).toBe('#304156'))
