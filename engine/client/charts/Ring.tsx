import type { ChartData } from './chartData.ts'
import { percentText, ringPart, shares } from './scale.ts'

const outer = 90
const inner = 56

/** The parts of a whole, each listed with its figure and share. */
export function Ring({ label, data }: { label: string; data: ChartData }) {
  const [{ values, texts }] = data.series
  const parts = shares(values)
  const ends = parts.map((_, index) => parts.slice(0, index + 1).reduce((sum, part) => sum + part, 0))
  return (
    <div className="chart-ring">
      <svg role="img" aria-label={label} viewBox="-92 -92 184 184" width={184} height={184}>
        {parts.every((part) => part === 0) && <path className="chart-nothing" d={ringPart(0, 1, outer, inner)} />}
        {parts.map(
          (part, index) =>
            part > 0 && (
              <path
                key={index}
                fill={`var(--chart-${(index % 8) + 1})`}
                d={ringPart(ends[index] - part, ends[index], outer, inner)}
              >
                <title>{`${data.categories[index].label} ${texts[index]} ${percentText(part)}`}</title>
              </path>
            ),
        )}
      </svg>
      <ul className="chart-parts">
        {data.categories.map((category, index) => (
          <li key={index}>
            <i aria-hidden="true" style={{ background: `var(--chart-${(index % 8) + 1})` }} />
            <span className="chart-part">{category.label}</span>
            <span>{texts[index]}</span>
            <span className="chart-share">{percentText(parts[index])}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
