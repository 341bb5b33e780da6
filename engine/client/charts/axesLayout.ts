import type { ChartData, ChartSeries } from './chartData.ts'
import { labelStep, placeIn, shortNumber, textWidth, ticksFor } from './scale.ts'

export const height = 240
const space = { top: 12, bottom: 26, right: 8 }

export interface AxesLayout {
  bars: ChartSeries[]
  lines: ChartSeries[]
  /** Lines with another unit, measured on the right axis. */
  apart: ChartSeries[]
  ticks: number[]
  ticksApart: number[]
  left: number
  right: number
  /** The width of one category. */
  slot: number
  /** Only every n-th category has a label. */
  step: number
  y(this: void, value: number): number
  yApart(this: void, value: number): number
  /** The horizontal centre of a category. */
  middle(this: void, at: number): number
  short(this: void, tick: number): string
}

interface Drawn {
  data: ChartData
  stacked: boolean
  width: number
  language: string
}

/** Positions of the axes, bars and lines of a chart in an image of this width. */
export function axesLayoutOf({ data: { categories, series }, stacked, width, language }: Drawn): AxesLayout {
  const bars = series.filter(({ line }) => !line)
  const lines = series.filter(({ line }) => line)
  const tops = stacked ? categories.map((_, at) => stackedBelow(bars, at)) : bars.flatMap(known)
  // On an axis of amounts, headcounts would all lie at the bottom.
  const apart = bars.length > 0 ? lines.filter(({ unit }) => unit !== bars[0].unit) : []
  const ticks = ticksFor([
    ...tops,
    ...(stacked ? bars : []).flatMap(known).filter((value) => value < 0),
    ...lines.filter((each) => !apart.includes(each)).flatMap(known),
  ])
  const ticksApart = apart.length > 0 ? ticksFor(apart.flatMap(known)) : []
  const short = (tick: number) => shortNumber(tick, language)
  const roomFor = (labels: readonly number[]) => Math.max(...labels.map((tick) => textWidth(short(tick)))) + 10
  const left = roomFor(ticks)
  const right = ticksApart.length > 0 ? roomFor(ticksApart) : space.right
  const plot = Math.max(1, width - left - right)
  const base = height - space.bottom
  const slot = plot / Math.max(1, categories.length)
  const longest = Math.max(0, ...categories.map(({ label }) => textWidth(label))) + 10
  return {
    bars,
    lines,
    apart,
    ticks,
    ticksApart,
    left,
    right,
    slot,
    step: labelStep(longest, categories.length, plot),
    y: placeIn(ticks, base, space.top),
    yApart: placeIn(ticksApart, base, space.top),
    middle: (at) => left + slot * (at + 0.5),
    short,
  }
}

/** The stacked height of these bars in a category. */
export const stackedBelow = (bars: readonly ChartSeries[], at: number): number =>
  bars.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)

const known = ({ values }: ChartSeries) => values.filter((value) => value !== null)

/** The continuous segments of a line, which breaks at missing values. */
export function stretches(values: readonly (number | null)[]): number[][] {
  const found: number[][] = []
  values.forEach((value, at) => {
    if (value === null) return
    if (at > 0 && values[at - 1] !== null) found.at(-1)!.push(at)
    else found.push([at])
  })
  return found
}
