import { useClient } from '../frame.ts'
import type { ScreenFrame } from '../frame.ts'
import { follow } from '../ScreenProblem.tsx'
import type { ChartData } from './chartData.ts'

/** The top rows, each with its figure and a proportional bar. */
export function Top({ data, frame }: { data: ChartData; frame: ScreenFrame }) {
  const { href } = useClient()
  const [{ values, texts }] = data.series
  const most = Math.max(...values.map((value) => value ?? 0), 0)
  return (
    <ol className="chart-top">
      {data.categories.map(({ label, to }, index) => (
        <li key={index}>
          <span className="chart-top-label">
            {to === undefined ? (
              label
            ) : (
              <a href={href(to)} onClick={(event) => follow(event, frame, to)}>
                {label}
              </a>
            )}
          </span>
          <span className="chart-top-number">{texts[index]}</span>
          <span
            className="chart-top-bar"
            aria-hidden="true"
            style={{ inlineSize: `${most === 0 ? 0 : (Math.max(0, values[index] ?? 0) / most) * 100}%` }}
          />
        </li>
      ))}
    </ol>
  )
}
