/** WCAG: the minimum contrast of normal text. */
const enough = 4.5

/**
 * The backgrounds on which the accent has to be readable, as in `engine/client/colours.css`: a surface with some of the
 * colour in it.
 */
const grounds = { light: { surface: '#ffffff', part: 0.1 }, dark: { surface: '#1f1f1f', part: 0.18 } } as const

type Channels = [red: number, green: number, blue: number]
const read = (colour: string): Channels =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16)) as Channels
const write = (channels: number[]): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`

/** Mixes `part` of the first `#rrggbb` into the second. */
export function mix(colour: string, into: string, part: number): string {
  const other = read(into)
  return write(read(colour).map((value, index) => value * part + other[index] * (1 - part)))
}

function luminance(colour: string): number {
  const [red, green, blue] = read(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two `#rrggbb` colours as WCAG counts it, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((each, b) => each - b)
  return (light + 0.05) / (dark + 0.05)
}

/**
 * The colour itself, mixed with as much black or white as needed to be readable on each of the backgrounds, which are
 * all light or all dark.
 */
export function readableOn(grounds: string[], colour: string): string {
  const towards = contrast(grounds[0], '#000000') > contrast(grounds[0], '#ffffff') ? '#000000' : '#ffffff'
  let shade = colour
  for (let step = 1; grounds.some((ground) => contrast(shade, ground) < enough) && step <= 25; step++)
    shade = mix(towards, colour, step * 0.04)
  return shade
}

export interface Colours {
  /** As it was chosen. */
  theme: string
  /** Readable as text. */
  accent: string
  /** White is readable on it. */
  accentFill: string
}

export function coloursOf(theme: string, isDark: boolean): Colours {
  const { surface, part } = grounds[isDark ? 'dark' : 'light']
  return {
    theme,
    accent: readableOn([surface, mix(theme, surface, part)], theme),
    accentFill: readableOn(['#ffffff'], theme),
  }
}
