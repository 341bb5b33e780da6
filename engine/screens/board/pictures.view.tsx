import { CaretRightOutlined, LeftOutlined, PauseOutlined, RightOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useEngine } from '../../client/index.ts'
import type { FileValue, RecordData } from '../../model/model.ts'

const texts = {
  carousel: { cn: '轮播', en: 'Carousel' },
  slide: { cn: '图片', en: 'Slide' },
  previous: { cn: '上一张', en: 'Previous picture' },
  next: { cn: '下一张', en: 'Next picture' },
  pause: { cn: '暂停轮播', en: 'Pause' },
  play: { cn: '自动轮播', en: 'Play' },
  show: { cn: '第{n}张', en: 'Picture {n}' },
}
/** Milliseconds between pictures. */
const standing = 6000

const wantsRest = () => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

interface PicturesProps {
  label: string
  records: RecordData[]
  image: string
  title(record: RecordData): string
  /** Whether the screen is visible. */
  active: boolean
  opener(record: RecordData, content: ReactNode, className: string): ReactNode
}

/**
 * One picture at a time. They advance by themselves unless the user hovers, has the focus inside, or prefers reduced
 * motion.
 */
export function Pictures({ label, records, image, title, active, opener }: PicturesProps) {
  const { text } = useEngine()
  const [chosen, setChosen] = useState(0)
  const [playing, setPlaying] = useState(() => !wantsRest())
  const [held, setHeld] = useState(false)
  const count = records.length
  const position = chosen % count
  const running = playing && !held && active && count > 1
  useEffect(() => {
    if (!running) return
    const timer = setTimeout(() => setChosen((before) => (before + 1) % count), standing)
    return () => clearTimeout(timer)
  }, [running, count, chosen])
  const record = records[position]
  const name = title(record)
  const [file] = (record[image] ?? []) as unknown as FileValue[]
  const step = (by: number) => setChosen((position + by + count) % count)
  return (
    <div
      role="group"
      className="board-pictures"
      aria-roledescription={text(texts.carousel)}
      aria-label={label}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div
        key={record.id}
        role="group"
        className="board-picture"
        aria-roledescription={text(texts.slide)}
        aria-label={`${position + 1} / ${count}`}
        aria-live={running ? 'off' : 'polite'}
      >
        {opener(
          record,
          <>
            {file && <img src={file.url} alt={name} />}
            <span className="board-picture-title" aria-hidden="true">
              {name}
            </span>
          </>,
          'board-picture-open',
        )}
      </div>
      {count > 1 && (
        <div className="board-pictures-controls">
          <button type="button" aria-label={text(texts.previous)} onClick={() => step(-1)}>
            <LeftOutlined aria-hidden />
          </button>
          {records.map((each, index) => (
            <button
              key={each.id}
              type="button"
              className="board-picture-dot"
              aria-label={text(texts.show).replace('{n}', String(index + 1))}
              aria-current={index === position}
              onClick={() => setChosen(index)}
            />
          ))}
          <button type="button" aria-label={text(texts.next)} onClick={() => step(1)}>
            <RightOutlined aria-hidden />
          </button>
          <button
            type="button"
            aria-label={text(playing ? texts.pause : texts.play)}
            onClick={() => setPlaying(!playing)}
          >
            {playing ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
          </button>
        </div>
      )}
    </div>
  )
}
