import { useSyncExternalStore } from 'react'
import { tagOf } from '../../engine/model/language.ts'
import { language, ownName } from './language.ts'

/** Leads to the other language, or offers all if there are more than two; nothing if there is only one. */
export function LanguageSwitch({ className, label }: { className: string; label: string }) {
  const current = useSyncExternalStore(language.subscribe, language.get)
  const listed = useSyncExternalStore(language.subscribe, language.listed)
  if (listed.length > 2) {
    return (
      <select
        className={className}
        aria-label={label}
        value={current}
        onChange={(event) => language.set(event.target.value)}
      >
        {listed.map((each) => (
          <option key={each} value={each} lang={tagOf(each)}>
            {ownName(each)}
          </option>
        ))}
      </select>
    )
  }
  const other = listed.find((each) => each !== current)
  if (other === undefined) return null
  return (
    <button type="button" className={className} lang={tagOf(other)} onClick={() => language.set(other)}>
      {ownName(other)}
    </button>
  )
}
