import { Image } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useEngine } from '../../client/view.ts'
import type { DisplayProps, EditProps, WidgetView } from '../../client/view.ts'
import { UploadActions, UploadArea, uploadTexts, useUploads } from '../file/uploads.view.tsx'
import type { FileValue } from '../../model/model.ts'

const limit = { cn: '最多上传{max}张', en: 'Pictures: up to {max}' }
const preview = { cn: '预览', en: 'Preview' }

/** Thumbnails that open large; pending uploads show their progress. */
function Thumbnails({
  files,
  label,
  small,
  percent,
  reason,
  actions,
}: {
  files: FileValue[]
  label: string
  small?: boolean
  percent?(file: FileValue): number
  reason?(file: FileValue): string
  actions?(file: FileValue): ReactNode
}) {
  const { text } = useEngine()
  const [opened, setOpened] = useState<number>()
  const shown = files.filter((file) => file.status !== 'uploading' && file.status !== 'failed')
  if (files.length === 0) return null
  return (
    <>
      <ul className={small ? 'uploads-images uploads-small' : 'uploads-images'} aria-label={label}>
        {files.map((file) => (
          <li key={file.url} className="uploads-image">
            {shown.includes(file) ? (
              <a
                className="uploads-thumbnail"
                href={file.url}
                target="_blank"
                rel="noreferrer"
                aria-label={`${text(preview)} ${file.name}`}
                title={file.name}
                onClick={(event) => {
                  event.preventDefault()
                  setOpened(shown.indexOf(file))
                }}
              >
                <img src={file.url} alt="" loading="lazy" />
              </a>
            ) : (
              <span className={`uploads-thumbnail uploads-${file.status}`} title={file.name} role="status">
                {file.status === 'failed' ? text(uploadTexts.failed) : `${percent?.(file) ?? 0}%`}
              </span>
            )}
            {file.status === 'failed' && reason?.(file) && (
              <p className="uploads-reason" role="alert">
                {reason(file)}
              </p>
            )}
            {actions?.(file)}
          </li>
        ))}
      </ul>
      {opened !== undefined && (
        <Image.PreviewGroup
          items={shown.map((file) => ({ src: file.url, alt: file.name }))}
          preview={{
            visible: true,
            current: opened,
            onChange: setOpened,
            onVisibleChange: (visible) => {
              if (!visible) setOpened(undefined)
            },
          }}
        />
      )}
    </>
  )
}

function ImageEdit(props: EditProps) {
  const uploads = useUploads(props)
  return (
    <UploadArea props={props} uploads={uploads} limit={limit}>
      <Thumbnails
        files={uploads.files}
        label={props.label}
        percent={uploads.percent}
        reason={uploads.reason}
        actions={(file) => <UploadActions file={file} uploads={uploads} disabled={props.disabled} />}
      />
    </UploadArea>
  )
}

const ImageDisplay = ({ value, label }: DisplayProps) => (
  <Thumbnails files={(value ?? []) as unknown as FileValue[]} label={label} />
)
const ImageCell = ({ value, label }: DisplayProps) => (
  <Thumbnails small files={(value ?? []) as unknown as FileValue[]} label={label} />
)

export const imageView: WidgetView = { Edit: ImageEdit, Display: ImageDisplay, Cell: ImageCell }
