import { CloseOutlined } from '@ant-design/icons'
import type { SchemaIssue } from '../../engine/model/model.ts'
import { placeText } from './editor.ts'
import { FileLink } from './FileLink.tsx'
import { useSchemaRefusal } from './schemaIssues.ts'
import { useDeskWords } from './words.ts'
import './desk.css'

/** Shows the issues of the schema files over the page, which goes on with the last valid version. */
export function SchemaIssues() {
  const t = useDeskWords()
  const { refusal, show } = useSchemaRefusal()
  if (!refusal) return null
  const { issues, message } = refusal
  return (
    <section
      className="schema-issues"
      role="alert"
      aria-label={issues.length > 0 ? t('brokenSchemas', { n: issues.length }) : t('refusedSchemas')}
    >
      <header>
        <div>
          <h2>{issues.length > 0 ? t('brokenSchemas', { n: issues.length }) : t('refusedSchemas')}</h2>
          <p>{t('lastGood')}</p>
        </div>
        <button type="button" className="header-button" aria-label={t('closeIssues')} onClick={() => show(undefined)}>
          <CloseOutlined aria-hidden />
        </button>
      </header>
      {message && <pre>{message}</pre>}
      {issues.length > 0 && (
        <ol>
          {issues.map((issue) => (
            <li key={`${placeText(issue)}${issue.code}${issue.message}`}>
              <Issue issue={issue} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Issue({ issue }: { issue: SchemaIssue }) {
  const { column, length, excerpt } = issue
  const start = column - 1
  return (
    <>
      <p>
        <FileLink place={issue} /> <code>{issue.code}</code>
      </p>
      {length > 0 && (
        <pre>
          {excerpt.slice(0, start)}
          <mark>{excerpt.slice(start, start + length)}</mark>
          {excerpt.slice(start + length)}
        </pre>
      )}
      <p>{issue.message}</p>
    </>
  )
}
