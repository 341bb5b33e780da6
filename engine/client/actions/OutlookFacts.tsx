import type { Outlook } from '../../model/model.ts'
import { RecordFacts } from '../RecordFacts.tsx'
import { ScrollBox } from '../ScrollBox.tsx'
import type { EngineContext } from '../view.ts'

interface Props {
  outlook: Outlook
  /** Passed in, because a question is rendered outside its screen. */
  text: EngineContext['text']
  /** The heading of a list with its count. */
  counted(label: string, n: number): string
  /** Says how many more there are than are listed. */
  others(n: number): string
}

/** What a call would lead to, shown before the user confirms it. */
export function OutlookFacts({ outlook: { facts, lists, note }, text, counted, others }: Props) {
  return (
    <div className="outlook">
      {note && <p>{text(note)}</p>}
      <RecordFacts facts={facts.map(({ label, value }) => ({ label: text(label), value: text(value) }))} />
      {lists
        .filter(({ items, more }) => items.length + more > 0)
        .map(({ label, items, more }) => (
          <section key={text(label)}>
            <h4>{counted(text(label), items.length + more)}</h4>
            {/* What the user may not view is only counted. */}
            {items.length > 0 && (
              <ScrollBox className="outlook-list" label={text(label)}>
                <ul>
                  {items.map(({ name, about }, index) => (
                    <li key={index}>
                      <span>{name}</span> <span>{text(about)}</span>
                    </li>
                  ))}
                  {more > 0 && <li>{others(more)}</li>}
                </ul>
              </ScrollBox>
            )}
          </section>
        ))}
    </div>
  )
}
