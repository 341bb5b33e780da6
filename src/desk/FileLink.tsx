import type { Place } from '../../engine/model/model.ts'
import { openInEditor, placeText } from './editor.ts'
import { useDeskWords } from './words.ts'

/** File, line and column; in development a link that opens the editor. */
export function FileLink({ place }: { place: Place }) {
  const t = useDeskWords()
  const text = placeText(place)
  if (!openInEditor) return <code className="file-place">{text}</code>
  return (
    <button
      type="button"
      className="file-place action-link"
      aria-label={t('openFile', { place: text })}
      onClick={() => openInEditor!(place)}
    >
      {text}
    </button>
  )
}
