import { Button, Skeleton } from 'antd'
import { useEffect, useMemo } from 'react'
import { chartDataOf } from '../../client/charts/chartData.ts'
import { LazyChart } from '../../client/charts/LazyChart.tsx'
import { RequestError, errorText, fieldText, follow, useClient, useEngine, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { useBlock } from '../../client/records.ts'
import type { GroupedResult } from '../../model/model.ts'
import { boardAge } from './boardAge.ts'
import type { BoardChart, BoardFigures, BoardNumbers } from './numbers.ts'

const texts = {
  all: { cn: '查看', en: 'Open' },
  last: { cn: '上月同期 {n}', en: '{n} by this day last month' },
  same: { cn: '与上月同期持平', en: 'same as by this day last month' },
  up: { cn: '较上月同期增加 {n}%', en: 'up {n}% from the same days last month' },
  down: { cn: '较上月同期减少 {n}%', en: 'down {n}% from the same days last month' },
}

interface NumbersProps {
  block: BoardNumbers
  screen: string
  frame: ScreenFrame
  onSettled(name: string): void
}

/** Figures of an entity's records on a board: those of the month, or a chart. */
export function Numbers({ block, screen, frame, onSettled }: NumbersProps) {
  const { text, language } = useEngine()
  const { href } = useClient()
  const words = useWords()
  const { data, error, refetch } = useBlock<GroupedResult>(screen, block.name, {
    enabled: frame.active,
    version: frame.version,
    every: boardAge,
  })
  const isSettled = Boolean(data ?? error)
  useEffect(() => {
    if (isSettled) onSettled(block.name)
  }, [isSettled, onSettled, block.name])
  if (error instanceof RequestError && error.code === 403) return null
  const label = text(block.label)
  return (
    <section className="board-block" aria-label={label}>
      <div className="board-block-head">
        <h2>{label}</h2>
        {block.more !== undefined && (
          <a
            href={href(block.more)}
            aria-label={`${text(texts.all)}: ${label}`}
            onClick={(event) => follow(event, frame, block.more!)}
          >
            {text(texts.all)}
          </a>
        )}
      </div>
      <div className="board-numbers">
        {error && !data && (
          <p className="board-block-failure" role="alert">
            {errorText(error, language)}{' '}
            <Button size="small" type="link" onClick={() => void refetch()}>
              {words('retry')}
            </Button>
          </p>
        )}
        {!data && !error && <Skeleton active paragraph={{ rows: 3 }} title={false} aria-label={words('loading')} />}
        {data &&
          (block.kind === 'figures' ? (
            <Figures block={block} data={data} />
          ) : (
            <BlockChart block={block} data={data} frame={frame} />
          ))}
      </div>
    </section>
  )
}

function Figures({ block, data }: { block: BoardFigures; data: GroupedResult }) {
  const engine = useEngine()
  const say = (text: keyof typeof texts, n: string) => engine.text(texts[text]).replace('{n}', n)
  return (
    <ul className="board-figures">
      {block.measures.map(({ name, field }) => {
        const change = data.change?.[name]
        const before = data.before && fieldText(data.before[name], field, engine)
        const trend =
          change === null || change === undefined
            ? undefined
            : Number(change) === 0
              ? 'same'
              : change.startsWith('-')
                ? 'down'
                : 'up'
        return (
          <li key={name}>
            <span className="board-figure-label">{engine.text(field.label)}</span>
            <span className="board-figure">{fieldText(data.totals[name], field, engine)}</span>
            {before !== undefined && (
              <span className="board-figure-change" data-trend={trend}>
                {trend ? say(trend, change!.replace('-', '')) : say('last', before)}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function BlockChart({ block, data, frame }: { block: BoardChart; data: GroupedResult; frame: ScreenFrame }) {
  const engine = useEngine()
  const { by, measures, chart } = block
  const drawn = useMemo(
    () => chartDataOf({ rows: data.list, totals: data.totals, rest: data.rest, by, measures, chart }, engine),
    [data, by, measures, chart, engine],
  )
  return <LazyChart label={engine.text(block.label)} draw={chart.draw} data={drawn} frame={frame} />
}
