import { Button } from 'antd'
import type { EngineContext } from '../view.ts'

const texts = {
  all: { cn: '试算全部', en: 'Preview all' },
  hint: {
    cn: '最长约一分钟，其间他人可能无法修改这些数据',
    en: 'This takes up to a minute, in which others may be unable to change this data',
  },
}

/** The way on from a preview that had no time for everything. */
export const PreviewAll = ({ text, onClick }: { text: EngineContext['text']; onClick(): void }) => (
  <p className="preview-all">
    <Button size="small" onClick={onClick}>
      {text(texts.all)}
    </Button>{' '}
    <span>{text(texts.hint)}</span>
  </p>
)
