import { localeOf } from '../../model/language.ts'

/** Round numbers that cover the range and include zero, in about so many steps. */
export function ticksFor(values: readonly number[], steps = 4): number[] {
  const least = Math.min(0, ...values)
  const greatest = Math.max(0, ...values)
  if (least === greatest) return [0, 1]
  const rough = (greatest - least) / steps
  const power = 10 ** Math.floor(Math.log10(rough))
  // Counts come in whole numbers.
  const isWhole = values.every(Number.isInteger)
  const step =
    [1, 2, 2.5, 5, 10]
      .map((factor) => factor * power)
      .find((each) => each >= rough * 0.999 && (!isWhole || Number.isInteger(each))) ?? 1
  const [from, to] = [Math.floor(least / step + 1e-9), Math.ceil(greatest / step - 1e-9)]
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)))
}

/** Maps a value to its position between `start` and `end`. */
export const placeIn =
  (ticks: readonly number[], start: number, end: number) =>
  (value: number): number =>
    start + ((value - ticks[0]) / (ticks[ticks.length - 1] - ticks[0])) * (end - start)

/** How many categories share a label so that labels do not touch. */
export const labelStep = (longest: number, count: number, width: number): number =>
  count === 0 ? 1 : Math.max(1, Math.ceil((longest * count) / Math.max(width, 1)))

/** The approximate width of a text at 12 pixels. */
export const textWidth = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character > '\u2e80' ? 12 : 6.7), 0)

/** The outline of a segment of a ring, from one share of the whole to another. A full ring is two halves. */
export function ringPart(from: number, to: number, outer: number, inner: number): string {
  if (to - from > 0.9999) return `${ringPart(0, 0.5, outer, inner)} ${ringPart(0.5, 1, outer, inner)}`
  const at = (share: number, radius: number) => {
    const angle = share * 2 * Math.PI
    return `${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`
  }
  const large = to - from > 0.5 ? 1 : 0
  return `M${at(from, outer)} A${outer} ${outer} 0 ${large} 1 ${at(to, outer)} L${at(to, inner)} A${inner} ${inner} 0 ${large} 0 ${at(from, inner)} Z`
}

/** The share of each in the whole; negative values have none. */
export function shares(values: readonly (number | null)[]): number[] {
  const whole = values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0)
  return values.map((value) => (whole === 0 ? 0 : Math.max(0, value ?? 0) / whole))
}

const units: Record<string, [number, string][]> = {
  cn: [
    [1e8, '亿'],
    [1e4, '万'],
  ],
  en: [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ],
}

/** A round number short enough for an axis: 25万, 250K. */
export function shortNumber(value: number, language: string): string {
  if (!units[language])
    return new Intl.NumberFormat(localeOf(language), { notation: 'compact', maximumSignificantDigits: 4 }).format(value)
  const [size, suffix] = units[language].find(([least]) => Math.abs(value) >= least) ?? [1, '']
  return `${Number((value / size).toPrecision(4))}${suffix}`
}

/** To one decimal place: 12.5%. */
export const percentText = (share: number): string => `${Number((share * 100).toFixed(1))}%`
