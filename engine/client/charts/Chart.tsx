import { useState } from 'react'
import type { ChartDrawing } from '../../model/model.ts'
import type { ScreenFrame } from '../frame.ts'
import { useEngine } from '../view.ts'
import { Axes } from './Axes.tsx'
import type { ChartData } from './chartData.ts'
import { Ring } from './Ring.tsx'
import { Top } from './Top.tsx'
import './chart.css'

const texts = {
  table: { cn: '数据表', en: 'Table' },
  none: { cn: '暂无数据', en: 'Nothing here yet' },
  item: { cn: '项目', en: 'Item' },
}

export interface ChartProps {
  label: string
  draw: ChartDrawing
  data: ChartData
  frame: ScreenFrame
}

/** A chart of rows, and the same rows as a table. Nothing is animated. */
export default function Chart({ label, draw, data, frame }: ChartProps) {
  const { text } = useEngine()
  const [table, setTable] = useState(false)
  if (data.categories.length === 0) return <p className="chart-empty">{text(texts.none)}</p>
  return (
    <div className="chart">
      <button
        type="button"
        className="chart-switch"
        aria-pressed={table}
        aria-label={`${text(texts.table)}: ${label}`}
        onClick={() => setTable(!table)}
      >
        {text(texts.table)}
      </button>
      {table ? (
        <ChartTable label={label} data={data} />
      ) : (
        <Drawing label={label} draw={draw} data={data} frame={frame} />
      )}
    </div>
  )
}

function Drawing({ label, draw, data, frame }: ChartProps) {
  if (draw === 'ring') return <Ring label={label} data={data} />
  if (draw === 'top') return <Top data={data} frame={frame} />
  return (
    <>
      <Axes label={label} data={data} stacked={draw === 'stacked'} />
      {data.series.length > 1 && (
        <ul className="chart-legend">
          {data.series.map(({ name, label: title, line }, index) => (
            <li key={name}>
              <i
                aria-hidden="true"
                data-line={line || undefined}
                style={{ background: `var(--chart-${(index % 8) + 1})` }}
              />
              {title}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function ChartTable({ label, data }: { label: string; data: ChartData }) {
  const { text } = useEngine()
  const named = data.series.some((series) => series.label !== '')
  return (
    <div className="chart-table" role="region" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        {named && (
          <thead>
            <tr>
              <th scope="col">{text(texts.item)}</th>
              {data.series.map((series) => (
                <th key={series.name} scope="col">
                  {series.label}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {data.categories.map((category, at) => (
            <tr key={at}>
              <th scope="row">{category.label}</th>
              {data.series.map((series) => (
                <td key={series.name}>{series.texts[at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
