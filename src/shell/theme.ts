import type { ThemeConfig } from 'antd'
import type { Size } from './settings.ts'

/** Heights of controls in pixels. */
const controlHeights: Record<Size, number> = { default: 36, medium: 32, small: 28, mini: 24 }

/** WCAG: the contrast of normal text with what is behind it. */
const enough = 4.5

const channels = (colour: string): number[] => [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))

/** Contrast of a `#rrggbb` colour with white, 1 to 21. */
export function contrastWithWhite(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** The colour itself, or as much darker as white text on it needs to be read. */
export function readable(colour: string): string {
  let shade = colour
  for (let step = 1; contrastWithWhite(shade) < enough && step <= 20; step++) {
    shade = `#${channels(colour).map((value) => Math.round(value * (1 - step * 0.04)).toString(16).padStart(2, '0')).join('')}`
  }
  return shade
}

/** The whole palette from the chosen colour; what carries text takes the shade that can be read. */
export function themeOf(colour: string, size: Size): ThemeConfig {
  const shade = readable(colour)
  const text = { colorPrimary: shade, colorPrimaryHover: shade, colorLink: shade }
  return {
    cssVar: true,
    hashed: false,
    token: { colorPrimary: colour, colorLink: shade, colorLinkHover: shade, borderRadius: 6, controlHeight: controlHeights[size], colorError: '#cf1322', colorTextPlaceholder: 'rgb(0 0 0 / 55%)' },
    components: { Button: { ...text, primaryShadow: 'none', defaultHoverColor: shade, defaultHoverBorderColor: shade }, Tabs: { itemSelectedColor: shade, itemHoverColor: shade }, Radio: text, Pagination: text, Select: { optionSelectedColor: 'rgb(0 0 0 / 88%)' } },
  }
}
