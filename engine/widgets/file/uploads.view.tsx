import { useNotices } from '../../client/notices.tsx'
import { Button } from 'antd'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { constants } from '../../client/constants.ts'
import { RequestError } from '../../client/RequestError.ts'
import { useEngine } from '../../client/view.ts'
import type { EditProps } from '../../client/view.ts'
import type { FileValue, Label } from '../../model/model.ts'
import { checkFile, tooManyFiles, unlimited } from './files.ts'
import type { FileOptions } from './files.ts'
import './uploads.css'

export const uploadTexts = {
  upload: { cn: '上传', en: 'Upload' },
  retry: { cn: '重试', en: 'Retry' },
  remove: { cn: '移除', en: 'Remove' },
  confirm: { cn: '确定移除该文件吗？', en: 'Remove this file?' },
  ok: { cn: '确定', en: 'OK' },
  cancel: { cn: '取消', en: 'Cancel' },
  failed: { cn: '上传失败', en: 'Upload failed' },
}

const listOf = (value: unknown): FileValue[] => (Array.isArray(value) ? (value as FileValue[]) : [])

/** Failed files make room for new ones: only this many are kept. */
const staying = (files: readonly FileValue[], failed: number) =>
  files.filter(({ status }) => status !== 'failed' || failed-- > 0)

/** Files chosen in this session and not uploaded yet, by their temporary address. */
let pendingCount = 0

/**
 * Uploads into a value. A file that is uploading or has failed is part of the value, so that saving too early reports
 * it and loses nothing.
 */
export function useUploads({ id, value, onChange, onBlur, field }: EditProps) {
  const engine = useEngine()
  const { message, modal } = useNotices()
  const options = field.options as FileOptions
  const [percents, setPercents] = useState<Record<string, number>>({})
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [chosen] = useState(() => new Map<string, File>())
  // Several uploads may end between two renders: each continues from the result of the previous one.
  const files = useRef<FileValue[]>([])
  useLayoutEffect(() => {
    files.current = listOf(value)
  }, [value])
  const change = useRef(onChange)
  useLayoutEffect(() => {
    change.current = onChange
  })
  const set = (next: FileValue[]) => {
    files.current = next
    change.current(next.length > 0 ? (next as never) : null)
  }
  const replace = (url: string, by: FileValue) => set(files.current.map((file) => (file.url === url ? by : file)))

  const send = async (url: string) => {
    const file = chosen.get(url)
    if (!file) return
    const entry = { url, name: file.name, size: file.size }
    replace(url, { ...entry, status: 'uploading' })
    // The server still processes a file after its last byte has been sent, so 100 is reserved for the answer.
    const progress = (percent: number) =>
      setPercents((old) => ({ ...old, [url]: Math.min(constants.uploadProgressMaximum, Math.floor(percent)) }))
    progress(0)
    try {
      const uploaded = await engine.upload(file, progress)
      chosen.delete(url)
      replace(url, { ...uploaded, status: 'success' })
    } catch (error) {
      // The server would refuse the same file again.
      if (error instanceof RequestError && error.code === 422) chosen.delete(url)
      setReasons((old) => ({ ...old, [url]: error instanceof Error ? error.message : '' }))
      replace(url, { ...entry, status: 'failed' })
    }
  }

  const add = (given: File[]) => {
    const left = options.max - files.current.filter(({ status }) => status !== 'failed').length
    if (given.length > left) void message.error(engine.text(tooManyFiles))
    const taken = given.slice(0, Math.max(0, left)).filter((file) => {
      const found = checkFile(file, options, { label: field.label })
      if (found) void message.error(`${file.name}: ${engine.text(found.message)}`)
      return !found
    })
    const entries = taken.map((file): FileValue => {
      const url = `pending:${++pendingCount}`
      chosen.set(url, file)
      return { url, name: file.name, size: file.size, status: 'uploading' }
    })
    if (entries.length === 0) return
    set([...staying(files.current, left - entries.length), ...entries])
    for (const entry of entries) void send(entry.url)
  }

  const remove = async (file: FileValue) => {
    const confirmed =
      file.status === 'failed' ||
      (await modal.confirm({
        title: engine.text(uploadTexts.confirm),
        content: file.name,
        okText: engine.text(uploadTexts.ok),
        cancelText: engine.text(uploadTexts.cancel),
      }))
    if (!confirmed) return
    chosen.delete(file.url)
    set(files.current.filter((other) => other.url !== file.url))
    onBlur?.()
    // The button that was pressed goes with its file.
    document.getElementById(id)?.focus()
  }

  return {
    files: listOf(value),
    /** Why it is not uploaded, if known. */
    reason: (file: FileValue) => reasons[file.url] ?? '',
    percent: (file: FileValue) => percents[file.url] ?? 0,
    /** A file that is gone after a reload or was refused can only be removed. */
    canRetry: (file: FileValue) => chosen.has(file.url),
    add,
    retry: (file: FileValue) => void send(file.url),
    remove: (file: FileValue) => void remove(file),
  }
}
export type Uploads = ReturnType<typeof useUploads>

/** The button that opens the file dialog, inside the area where files may be dropped. */
export function UploadArea({
  props,
  uploads,
  limit,
  children,
}: {
  props: EditProps
  uploads: Uploads
  limit: Label
  children: ReactNode
}) {
  const { text } = useEngine()
  const { id, label, field, disabled, invalid, describedBy, autoFocus } = props
  const { max, extensions } = field.options as FileOptions
  const input = useRef<HTMLInputElement>(null)
  return (
    <div
      className="uploads"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (!disabled) uploads.add([...event.dataTransfer.files])
      }}
    >
      {children}
      {!disabled && (
        <div className="uploads-add">
          <Button
            id={id}
            autoFocus={autoFocus}
            danger={invalid}
            aria-label={`${text(uploadTexts.upload)} ${label}`}
            aria-invalid={invalid || undefined}
            aria-describedby={describedBy}
            onClick={() => input.current?.click()}
          >
            {text(uploadTexts.upload)}
          </Button>
          {max !== unlimited && <span className="uploads-limit">{text(limit).replace('{max}', String(max))}</span>}
          <input
            ref={input}
            type="file"
            hidden
            multiple={max > 1}
            accept={extensions.join(',') || undefined}
            aria-label={label}
            onChange={(event) => {
              uploads.add([...(event.target.files ?? [])])
              // The same file may be chosen again after it was removed.
              event.target.value = ''
            }}
          />
        </div>
      )}
    </div>
  )
}

/** The actions on one file. */
export function UploadActions({ file, uploads, disabled }: { file: FileValue; uploads: Uploads; disabled?: boolean }) {
  const { text } = useEngine()
  if (disabled) return null
  return (
    <span className="uploads-actions">
      {file.status === 'failed' && uploads.canRetry(file) && (
        <Button
          type="link"
          size="small"
          aria-label={`${text(uploadTexts.retry)} ${file.name}`}
          onClick={() => uploads.retry(file)}
        >
          {text(uploadTexts.retry)}
        </Button>
      )}
      <Button
        type="link"
        size="small"
        danger
        aria-label={`${text(uploadTexts.remove)} ${file.name}`}
        onClick={() => uploads.remove(file)}
      >
        {text(uploadTexts.remove)}
      </Button>
    </span>
  )
}
