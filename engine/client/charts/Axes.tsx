import { useRef } from 'react'
import { useEngine } from '../view.ts'
import type { ChartData, ChartSeries } from './chartData.ts'
import { labelStep, placeIn, shortNumber, textWidth, ticksFor } from './scale.ts'
import { useWidth } from './useWidth.ts'

const height = 240
const space = { top: 12, bottom: 26, right: 8 }
const colour = (index: number) => `var(--chart-${(index % 8) + 1})`

/**
 * Bars beside or upon each other, and lines, over one axis of round numbers. Told as one picture: the table beside it
 * says the rest.
 */
export function Axes({ label, data, stacked }: { label: string; data: ChartData; stacked: boolean }) {
  const { language } = useEngine()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const { categories, series } = data
  const bars = series.filter(({ line }) => !line)
  const lines = series.filter(({ line }) => line)
  const tops = stacked
    ? categories.map((_, at) => bars.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0))
    : bars.flatMap(known)
  // People on the axis of amounts would lie on its ground.
  const apart = bars.length > 0 ? lines.filter(({ unit }) => unit !== bars[0].unit) : []
  const ticks = ticksFor([
    ...tops,
    ...(stacked ? bars : []).flatMap(known).filter((value) => value < 0),
    ...lines.filter((one) => !apart.includes(one)).flatMap(known),
  ])
  const ticksApart = apart.length > 0 ? ticksFor(apart.flatMap(known)) : []
  const short = (tick: number) => shortNumber(tick, language)
  const left = Math.max(...ticks.map((tick) => textWidth(short(tick)))) + 10
  const right = ticksApart.length > 0 ? Math.max(...ticksApart.map((tick) => textWidth(short(tick)))) + 10 : space.right
  const plot = Math.max(1, width - left - right)
  const base = height - space.bottom
  const y = placeIn(ticks, base, space.top)
  const yApart = placeIn(ticksApart, base, space.top)
  const slot = plot / Math.max(1, categories.length)
  const step = labelStep(Math.max(0, ...categories.map((one) => textWidth(one.label))) + 10, categories.length, plot)
  const middle = (at: number) => left + slot * (at + 0.5)
  return (
    <div ref={frame} className="chart-axes">
      <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              className={tick === 0 ? 'chart-zero' : 'chart-line'}
              x1={left}
              x2={width - right}
              y1={y(tick)}
              y2={y(tick)}
            />
            <text x={left - 6} y={y(tick) + 4} textAnchor="end">
              {short(tick)}
            </text>
          </g>
        ))}
        {ticksApart.map((tick) => (
          <text key={`apart ${tick}`} x={width - right + 6} y={yApart(tick) + 4}>
            {short(tick)}
          </text>
        ))}
        {categories.map(
          (category, at) =>
            at % step === 0 && (
              <text key={at} x={middle(at)} y={height - 8} textAnchor="middle">
                {category.label}
              </text>
            ),
        )}
        {bars.map((one, index) => (
          <g key={one.name} fill={colour(series.indexOf(one))}>
            {one.values.map((value, at) => {
              if (!value) return null
              const thickness = Math.min(28, (slot * 0.7) / (stacked ? 1 : bars.length))
              const below = stacked
                ? bars.slice(0, index).reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0)
                : 0
              const [from, to] = [y(below), y(below + value)]
              const x = middle(at) + (stacked ? -thickness / 2 : (index - bars.length / 2) * thickness)
              return (
                <rect
                  key={at}
                  x={x}
                  y={Math.min(from, to)}
                  width={Math.max(1, thickness - 1)}
                  height={Math.max(1, Math.abs(from - to))}
                >
                  <title>{told(one, at, category(data, at))}</title>
                </rect>
              )
            })}
          </g>
        ))}
        {lines.map((one) => {
          const place = apart.includes(one) ? yApart : y
          return (
            <g key={one.name} stroke={colour(series.indexOf(one))} fill={colour(series.indexOf(one))}>
              {runs(one.values).map((run) => (
                <polyline
                  key={run[0]}
                  fill="none"
                  strokeWidth={2}
                  points={run.map((at) => `${middle(at)},${place(one.values[at]!)}`).join(' ')}
                />
              ))}
              {one.values.map(
                (value, at) =>
                  value !== null && (
                    <circle key={at} cx={middle(at)} cy={place(value)} r={3}>
                      <title>{told(one, at, category(data, at))}</title>
                    </circle>
                  ),
              )}
            </g>
          )
        })}
      </svg>
    </div>
  )
}

const known = ({ values }: ChartSeries) => values.filter((value) => value !== null)
const category = ({ categories }: ChartData, at: number) => categories[at].label
const told = ({ label, texts }: ChartSeries, at: number, where: string) => `${where} ${label} ${texts[at]}`

/** A line breaks where there is no number. */
function runs(values: readonly (number | null)[]): number[][] {
  const found: number[][] = []
  values.forEach((value, at) => {
    if (value === null) return
    if (at > 0 && values[at - 1] !== null) found.at(-1)!.push(at)
    else found.push([at])
  })
  return found
}
