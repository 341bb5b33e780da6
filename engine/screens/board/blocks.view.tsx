import { Button, Skeleton } from 'antd'
import { useEffect } from 'react'
import { useConditions } from '../../client/conditions.ts'
import { errorText, fieldText, follow, useClient, useEngine, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { useBlock } from '../../client/records.ts'
import type { EntityPlan, RecordData } from '../../model/model.ts'
import type { BoardRecords } from './block.ts'
import { boardAge } from './boardAge.ts'
import { Pictures } from './pictures.view.tsx'
import { useOpener } from './useOpener.tsx'
import type { Opener } from './useOpener.tsx'

const texts = { all: { cn: '全部', en: 'All' }, none: { cn: '暂无数据', en: 'Nothing here yet' } }

interface BlockProps {
  block: BoardRecords
  screen: string
  entity: EntityPlan
  frame: ScreenFrame
  onSettled(name: string): void
}

/** Records of an entity on a board, each of which may open a page or a drawer. */
export function Block({ block, screen, entity, frame, onSettled }: BlockProps) {
  const engine = useEngine()
  const { href } = useClient()
  const words = useWords()
  const { data, error, refetch } = useBlock(screen, block.name, {
    enabled: frame.active,
    version: frame.version,
    every: boardAge,
  })
  const isSettled = Boolean(data ?? error)
  useEffect(() => {
    if (isSettled) onSettled(block.name)
  }, [isSettled, onSettled, block.name])
  const { opener, drawer } = useOpener(block, entity, frame)
  const label = engine.text(block.label)
  const title = (record: RecordData) => fieldText(record[block.text], entity.fields[block.text], engine)

  // Missing pictures are not worth a message.
  if (block.kind === 'pictures' && data?.length === 0) return null
  return (
    <section className="board-block" aria-label={label}>
      {block.kind === 'records' && (
        <div className="board-block-head">
          <h2>{label}</h2>
          {block.more && (
            <a
              href={href(block.more)}
              aria-label={`${engine.text(texts.all)}: ${label}`}
              onClick={(event) => follow(event, frame, block.more!)}
            >
              {engine.text(texts.all)}
            </a>
          )}
        </div>
      )}
      {error && !data && (
        <p className="board-block-failure" role="alert">
          {errorText(error, engine.language)}{' '}
          <Button size="small" type="link" onClick={() => void refetch()}>
            {words('retry')}
          </Button>
        </p>
      )}
      {!data && !error && <Skeleton active paragraph={{ rows: 3 }} title={false} aria-label={words('loading')} />}
      {data && block.kind === 'pictures' && (
        <Pictures
          label={label}
          records={data}
          image={block.image!}
          title={title}
          active={frame.active}
          opener={opener}
        />
      )}
      {data?.length === 0 && block.kind === 'records' && <p className="board-block-empty">{engine.text(texts.none)}</p>}
      {data && data.length > 0 && block.kind === 'records' && (
        <Records block={block} entity={entity} records={data} title={title} opener={opener} />
      )}
      {drawer}
    </section>
  )
}

interface RecordsProps extends Pick<BlockProps, 'block' | 'entity'> {
  records: RecordData[]
  title(record: RecordData): string
  opener: Opener
}

function Records({ block, entity, records, title, opener }: RecordsProps) {
  const engine = useEngine()
  const holds = useConditions(entity)
  return (
    <ul className="board-records">
      {records.map((record) => (
        <li key={record.id}>
          {opener(
            record,
            <>
              {block.marks
                .filter(({ when }) => holds(when, record))
                .map((mark) => (
                  <span key={mark.when} className="board-mark" data-tag={mark.tag}>
                    {engine.text(mark.label)}
                  </span>
                ))}
              <span className="board-record-title">{title(record)}</span>
            </>,
            'board-record',
          )}
          <span className="board-record-facts">
            {block.shown.map((name) => (
              <span key={name}>{fieldText(record[name], entity.fields[name], engine)}</span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
