import { useEngine } from '../../client/view.ts'
import type { DisplayProps, EditProps, WidgetView } from '../../client/view.ts'
import type { FileValue } from '../../model/model.ts'
import { UploadActions, UploadArea, uploadTexts, useUploads } from './uploads.view.tsx'

const limit = { cn: '最多上传{max}个文件', en: 'Files: up to {max}' }

const FileLink = ({ file }: { file: FileValue }) => (
  <a href={file.url} download={file.name} target="_blank" rel="noreferrer" title={file.name}>
    {file.name}
  </a>
)

function FileEdit(props: EditProps) {
  const { text } = useEngine()
  const uploads = useUploads(props)
  return (
    <UploadArea props={props} uploads={uploads} limit={limit}>
      {uploads.files.length > 0 && (
        <ul className="uploads-files" aria-label={props.label}>
          {uploads.files.map((file) => (
            <li key={file.url} className="uploads-file">
              {file.status === 'success' ? <FileLink file={file} /> : <span title={file.name}>{file.name}</span>}
              {file.status === 'uploading' && <span role="status">{uploads.percent(file)}%</span>}
              {file.status === 'failed' && (
                <span role="status" className="uploads-failed">
                  {text(uploadTexts.failed)}
                </span>
              )}
              <UploadActions file={file} uploads={uploads} disabled={props.disabled} />
              {file.status === 'failed' && uploads.reason(file) && (
                <p className="uploads-reason" role="alert">
                  {uploads.reason(file)}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </UploadArea>
  )
}

function FileDisplay({ value, label }: DisplayProps) {
  const files = (value ?? []) as unknown as FileValue[]
  if (files.length === 0) return null
  return (
    <ul className="uploads-files" aria-label={label}>
      {files.map((file) => (
        <li key={file.url} className="uploads-file">
          <FileLink file={file} />
        </li>
      ))}
    </ul>
  )
}

function FileCell({ value }: DisplayProps) {
  const files = (value ?? []) as unknown as FileValue[]
  return (
    <>
      {files.map((file, index) => (
        <span key={file.url}>
          {index > 0 && '、'}
          <FileLink file={file} />
        </span>
      ))}
    </>
  )
}

export const fileView: WidgetView = { Edit: FileEdit, Display: FileDisplay, Cell: FileCell }
