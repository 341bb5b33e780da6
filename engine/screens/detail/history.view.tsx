import { Button, Pagination } from 'antd'
import { useState } from 'react'
import { useFormWords } from '../../client/formWords.ts'
import { historyPageSize, useHistory, useWork } from '../../client/history.ts'
import { ScreenFailure, ScreenSkeleton, useEngine, useWords } from '../../client/index.ts'
import { ScrollBox } from '../../client/ScrollBox.tsx'
import type { HistoryEntry } from '../../model/model.ts'

/** Who changed what in the record, with the values before and after. */
export function History({ path, id, version }: { path: string; id: number; version: number }) {
  const words = useWords()
  const own = useFormWords()
  const { text } = useEngine()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useHistory(path, id, page, version)
  if (error) return <ScreenFailure title={words('listFailed')} error={error} retry={() => void refetch()} />
  if (!data) return <ScreenSkeleton />
  if (data.total === 0) return <div className="detail-history-empty">{own('noHistory')}</div>
  return (
    <div className="detail-history">
      <ScrollBox className="detail-history-scroll" label={own('changes')}>
        <table>
          <thead>
            <tr>
              {(['time', 'operator', 'action', 'changes'] as const).map((key) => (
                <th key={key} scope="col">
                  {own(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.list.map((entry) => (
              <tr key={entry.id}>
                <td>{entry.at}</td>
                <td>{entry.by?.name ?? own('system')}</td>
                <td>{text(entry.label)}</td>
                <td>
                  <Changes changes={entry.changes} />
                  <Others work={entry.work} others={entry.with} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {data.total > historyPageSize && (
        <Pagination
          align="end"
          size="small"
          current={page}
          pageSize={historyPageSize}
          total={data.total}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </div>
  )
}

/** What else the same work changed; a click shows all of it. */
function Others({ work, others }: { work: number | null; others: HistoryEntry['with'] }) {
  const { text } = useEngine()
  const words = useFormWords()
  const [open, setOpen] = useState(false)
  if (others.length === 0 || work === null) return null
  const parts = others.map(({ label, count, more }) => `${text(label)} × ${count}${more ? '+' : ''}`)
  return (
    <div className="detail-history-others">
      <Button type="link" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
        {words('alsoChanged', { records: parts.join(words('comma')) })}
      </Button>
      {open && <Work id={work} />}
    </div>
  )
}

/** All changes of one work, as far as the reader may see them. */
function Work({ id }: { id: number }) {
  const { text } = useEngine()
  const words = useWords()
  const own = useFormWords()
  const { data, error, refetch } = useWork(id)
  if (error) return <ScreenFailure title={words('listFailed')} error={error} retry={() => void refetch()} />
  if (!data) return <ScreenSkeleton />
  return data.entities.map(({ entity, label, count, changes }) => (
    <section key={entity}>
      <strong>{`${text(label)} × ${count}`}</strong>
      <ul>
        {changes.map((change, index) => (
          <li key={index}>
            {change.name ?? change.id}
            {own('colon')}
            {text(change.label)}
            {change.fields.length > 0 && <Changes changes={change.fields} />}
          </li>
        ))}
        {count > changes.length && <li>{own('moreChanges', { count: count - changes.length })}</li>}
      </ul>
    </section>
  ))
}

function Changes({ changes }: { changes: HistoryEntry['changes'] }) {
  const { text } = useEngine()
  const words = useFormWords()
  const shown = (value: string) => (value === '' ? <span className="form-empty">{words('empty')}</span> : value)
  if (changes.length === 0) return <span className="form-empty">—</span>
  return (
    <ul>
      {changes.map((change) => (
        <li key={change.field}>
          {text(change.label)}
          {words('colon')}
          {shown(change.old)} → {shown(change.new)}
        </li>
      ))}
    </ul>
  )
}
