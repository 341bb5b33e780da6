import { useRef } from 'react'
import { useEngine } from '../view.ts'
import { axesLayoutOf, height, stackedBelow, stretches } from './axesLayout.ts'
import type { AxesLayout } from './axesLayout.ts'
import type { ChartData, ChartSeries } from './chartData.ts'
import { useWidth } from './useWidth.ts'

const colour = (index: number) => `var(--chart-${(index % 8) + 1})`

interface AxesProps {
  label: string
  data: ChartData
  stacked: boolean
}

/**
 * Grouped or stacked bars, and lines, over one axis with round numbers. Screen readers get one image, because the table
 * beside it holds the figures.
 */
export function Axes({ label, data, stacked }: AxesProps) {
  const { language } = useEngine()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const layout = axesLayoutOf({ data, stacked, width, language })
  return (
    <div ref={frame} className="chart-axes">
      <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <Scales data={data} layout={layout} width={width} />
        {layout.bars.map((each, index) => (
          <Bars key={each.name} data={data} layout={layout} stacked={stacked} index={index} />
        ))}
        {layout.lines.map((each) => (
          <Line key={each.name} data={data} layout={layout} series={each} />
        ))}
      </svg>
    </div>
  )
}

interface PartProps {
  data: ChartData
  layout: AxesLayout
}

function Scales({ data, layout, width }: PartProps & { width: number }) {
  const { ticks, ticksApart, left, right, step, y, yApart, middle, short } = layout
  return (
    <>
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
      {data.categories.map(
        (category, at) =>
          at % step === 0 && (
            <text key={at} x={middle(at)} y={height - 8} textAnchor="middle">
              {category.label}
            </text>
          ),
      )}
    </>
  )
}

/** The bars of one series, one per category. */
function Bars({ data, layout, stacked, index }: PartProps & { stacked: boolean; index: number }) {
  const { bars, slot, y, middle } = layout
  const series = bars[index]
  return (
    <g fill={colour(data.series.indexOf(series))}>
      {series.values.map((value, at) => {
        if (!value) return null
        const thickness = Math.min(28, (slot * 0.7) / (stacked ? 1 : bars.length))
        const below = stacked ? stackedBelow(bars.slice(0, index), at) : 0
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
            <title>{titleOf(series, data, at)}</title>
          </rect>
        )
      })}
    </g>
  )
}

function Line({ data, layout, series }: PartProps & { series: ChartSeries }) {
  const { apart, middle } = layout
  const y = apart.includes(series) ? layout.yApart : layout.y
  const { values } = series
  return (
    <g stroke={colour(data.series.indexOf(series))} fill={colour(data.series.indexOf(series))}>
      {stretches(values).map((stretch) => (
        <polyline
          key={stretch[0]}
          fill="none"
          strokeWidth={2}
          points={stretch.map((at) => `${middle(at)},${y(values[at]!)}`).join(' ')}
        />
      ))}
      {values.map(
        (value, at) =>
          value !== null && (
            <circle key={at} cx={middle(at)} cy={y(value)} r={3}>
              <title>{titleOf(series, data, at)}</title>
            </circle>
          ),
      )}
    </g>
  )
}

const titleOf = ({ label, texts }: ChartSeries, { categories }: ChartData, at: number) =>
  `${categories[at].label} ${label} ${texts[at]}`
