import { theme as antd } from 'antd'
import { expect, test } from 'vitest'
import { coloursOf, contrast } from './colours.ts'
import { themeOf } from './theme.ts'

test('the palette comes from the chosen colour; buttons and links take readable shades of it', () => {
  const { token, components } = themeOf('#1890ff', 'small', false)
  const { accent, accentFill } = coloursOf('#1890ff', false)
  expect(token).toMatchObject({ colorPrimary: '#1890ff', controlHeight: 28, fontSize: 13, colorLink: accent })
  expect(components?.Button).toMatchObject({ colorPrimary: accentFill })
})

test("the dark scheme is antd's own, with readable texts", () => {
  const { algorithm, token, components } = themeOf('#1890ff', 'medium', true)
  expect(algorithm).toBe(antd.darkAlgorithm)
  expect(contrast(token!.colorLink!, '#1f1f1f')).toBeGreaterThanOrEqual(4.5)
  expect(contrast(components!.Button!.colorError!, components!.Button!.dangerColor!)).toBeGreaterThanOrEqual(4.5)
})
