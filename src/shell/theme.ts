import { theme as antd } from 'antd'
import type { ThemeConfig } from 'antd'
import { coloursOf } from './colours.ts'
import type { Size } from './settings.ts'

/** Height of a control and size of its text, in pixels. */
export const measures: Record<Size, { height: number; text: number }> = {
  default: { height: 36, text: 14 },
  medium: { height: 32, text: 14 },
  small: { height: 28, text: 13 },
  mini: { height: 24, text: 12 },
}

/** The whole palette from the chosen colour; text uses a readable shade of it. */
export function themeOf(theme: string, size: Size, isDark: boolean, isStill = false): ThemeConfig {
  const { accent, accentFill } = coloursOf(theme, isDark)
  const ink = (part: number) => (isDark ? `rgb(255 255 255 / ${part}%)` : `rgb(0 0 0 / ${part}%)`)
  const text = { colorPrimary: accent, colorPrimaryHover: accent, colorLink: accent }
  const danger = isDark ? '#ff7875' : '#cf1322'
  const { height, text: fontSize } = measures[size]
  return {
    algorithm: isDark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    cssVar: true,
    hashed: false,
    token: {
      colorPrimary: theme,
      colorLink: accent,
      colorLinkHover: accent,
      borderRadius: 6,
      controlHeight: height,
      fontSize,
      motion: !isStill,
      colorError: '#cf1322',
      colorErrorText: danger,
      colorTextPlaceholder: ink(isDark ? 50 : 55),
      colorTextDescription: ink(isDark ? 65 : 62),
    },
    components: {
      Button: {
        colorPrimary: accentFill,
        colorPrimaryHover: accentFill,
        colorLink: accent,
        colorError: danger,
        colorErrorHover: danger,
        dangerColor: isDark ? '#141414' : '#fff',
        primaryShadow: 'none',
        dangerShadow: 'none',
        defaultHoverColor: accent,
        defaultHoverBorderColor: accent,
      },
      Tabs: { itemSelectedColor: accent, itemHoverColor: accent },
      Radio: text,
      Pagination: text,
      // The value of a disabled control must stay readable.
      Select: { optionSelectedColor: ink(88), colorTextDisabled: ink(isDark ? 65 : 62) },
      // Its two labels are drawn on the fill.
      Switch: {
        colorPrimary: accentFill,
        colorPrimaryHover: accentFill,
        colorTextQuaternary: isDark ? ink(30) : ink(62),
        colorTextTertiary: isDark ? ink(35) : ink(70),
      },
    },
  }
}
