import { expect, test } from 'vitest'
import { contrastWithWhite, readable, themeOf } from './theme.ts'

test('contrast as WCAG counts it', () => {
  expect(contrastWithWhite('#ffffff')).toBeCloseTo(1, 5)
  expect(contrastWithWhite('#000000')).toBeCloseTo(21, 5)
  expect(contrastWithWhite('#767676')).toBeCloseTo(4.54, 2)
})

test.each(['#1890ff', '#ffec3d', '#13c2c2', '#ffffff'])('white text can be read on the shade of %s', (colour) => {
  expect(contrastWithWhite(readable(colour))).toBeGreaterThanOrEqual(4.5)
})

test('a colour that can be read stays as it was chosen', () => expect(readable('#304156')).toBe('#304156'))

test('the palette is the chosen colour’s, buttons and links take the readable shade', () => {
  const theme = themeOf('#1890ff', 'small')
  expect(theme.token).toMatchObject({ colorPrimary: '#1890ff', controlHeight: 28, colorLink: readable('#1890ff') })
  expect(theme.components?.Button?.colorPrimary).toBe(readable('#1890ff'))
})
