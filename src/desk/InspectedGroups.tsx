import { judge, useClient } from '../../engine/client/index.ts'
import type { Around } from '../../engine/client/index.ts'
import { textIn } from '../../engine/model/language.ts'
import type { Inspected, InspectedGroup, InspectedKey } from '../../engine/model/model.ts'
import { placeText } from './editor.ts'
import { FileLink } from './FileLink.tsx'
import { useDeskWords } from './words.ts'

/** Keys with conditions over the record. */
const conditions = new Set(['requiredWhen', 'visibleWhen', 'readOnlyWhen', 'shownWhen', 'when', 'check'])

/**
 * Each file that declares something of the part: position, content, and the current results of its conditions on the
 * record.
 */
export function Groups({ found: { groups, permissions, texts }, around }: { found: Inspected; around?: Around }) {
  const t = useDeskWords()
  const { language } = useClient()
  const shownPlaces = new Set(
    groups
      .flatMap(({ place, keys }) => [place, ...keys.map((key) => key.place)])
      .map(({ file, line }) => `${file}:${line}`),
  )
  const elsewhere = texts.filter(({ file, line }) => !shownPlaces.has(`${file}:${line}`))
  return (
    <>
      {groups.map((group) => (
        <Group key={group.of + placeText(group.place)} group={group} around={around} />
      ))}
      {permissions.length > 0 && (
        <section>
          <h3>{t('permissions')}</h3>
          <ul>
            {permissions.map(({ value, label, granted }) => (
              <li key={value} data-denied={!granted || undefined}>
                <code>{value}</code> {textIn(label, language)}: {t(granted ? 'granted' : 'denied')}
              </li>
            ))}
          </ul>
        </section>
      )}
      {elsewhere.length > 0 && (
        <section>
          <h3>{t('texts')}</h3>
          <ul>
            {elsewhere.map((each) => (
              <li key={placeText(each)}>
                <FileLink place={each} /> {each.text}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Group({ group: { of: subject, place, keys }, around }: { group: InspectedGroup; around?: Around }) {
  const t = useDeskWords()
  return (
    <section>
      <h3>
        {t(`of-${subject}`)} <FileLink place={place} />
      </h3>
      {keys.length > 0 && (
        <dl>
          {keys.map((key) => (
            <Key key={key.key} of={subject} written={key} around={around} />
          ))}
        </dl>
      )}
    </section>
  )
}

function Key({
  of: subject,
  written: { key, text, place },
  around,
}: {
  of: InspectedGroup['of']
  written: InspectedKey
  around?: Around
}) {
  const t = useDeskWords()
  const judged = around && (conditions.has(key) || subject === 'allow') ? judge(text, around) : undefined
  return (
    <>
      <dt>{key ? <code>{key}</code> : t('written')}</dt>
      <dd>
        <code>{text}</code>
        {judged && (
          <p className="inspector-reason" data-holds={judged.holds}>
            {t(judged.because.length > 0 ? 'keyBecause' : 'keyIs', {
              key: key || subject,
              place: `${place.file.split('/').at(-1)}:${place.line}`,
              holds: t(judged.holds ? 'isTrue' : 'isFalse'),
              because: judged.because.map(({ name, value }) => `${name} ${t('is')} ${value}`).join(', '),
            })}
          </p>
        )}
      </dd>
    </>
  )
}
