import { useNotices } from '../../client/notices.tsx'
import { Button, Input, Popover, Space } from 'antd'
import { EditorContent, Node, mergeAttributes, useEditor, useEditorState } from '@tiptap/react'
import type { Editor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import DOMPurify from 'dompurify'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { busySign } from '../../client/busySign.tsx'
import { pressable } from '../../client/pressable.ts'
import { useEngine } from '../../client/view.ts'
import type { DisplayProps, EditProps, WidgetView } from '../../client/view.ts'
import type { Label } from '../../model/model.ts'
import './rich-text.css'

/** A picture from our own upload. */
const Picture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes: () => ({ src: { default: null }, alt: { default: null } }),
  parseHTML: () => [{ tag: 'img[src^="/api/files/"]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes)],
})

const texts = {
  toolbar: { cn: '格式', en: 'Format' },
  bold: { cn: '加粗', en: 'Bold' },
  italic: { cn: '斜体', en: 'Italic' },
  heading: { cn: '标题', en: 'Heading' },
  subheading: { cn: '小标题', en: 'Subheading' },
  bullets: { cn: '项目符号', en: 'Bullets' },
  numbers: { cn: '编号', en: 'Numbering' },
  link: { cn: '链接', en: 'Link' },
  apply: { cn: '确定', en: 'Apply' },
  picture: { cn: '图片', en: 'Picture' },
  undo: { cn: '撤销', en: 'Undo' },
  redo: { cn: '重做', en: 'Redo' },
  failed: { cn: '图片上传失败', en: 'The picture could not be uploaded' },
} satisfies Record<string, Label>

interface Tool {
  name: keyof typeof texts
  run(editor: Editor): void
  active?(editor: Editor): boolean
  can?(editor: Editor): boolean
}
const tools: Tool[] = [
  {
    name: 'bold',
    run: (editor) => editor.chain().focus().toggleBold().run(),
    active: (editor) => editor.isActive('bold'),
  },
  {
    name: 'italic',
    run: (editor) => editor.chain().focus().toggleItalic().run(),
    active: (editor) => editor.isActive('italic'),
  },
  {
    name: 'heading',
    run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
    active: (editor) => editor.isActive('heading', { level: 2 }),
  },
  {
    name: 'subheading',
    run: (editor) => editor.chain().focus().toggleHeading({ level: 3 }).run(),
    active: (editor) => editor.isActive('heading', { level: 3 }),
  },
  {
    name: 'bullets',
    run: (editor) => editor.chain().focus().toggleBulletList().run(),
    active: (editor) => editor.isActive('bulletList'),
  },
  {
    name: 'numbers',
    run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    active: (editor) => editor.isActive('orderedList'),
  },
  { name: 'undo', run: (editor) => editor.chain().focus().undo().run(), can: (editor) => editor.can().undo() },
  { name: 'redo', run: (editor) => editor.chain().focus().redo().run(), can: (editor) => editor.can().redo() },
]

function RichTextEdit({
  id,
  value,
  onChange,
  onBlur,
  disabled,
  invalid,
  required,
  describedBy,
  autoFocus,
  label,
}: EditProps<string>) {
  const latest = useRef({ onChange, onBlur })
  useLayoutEffect(() => {
    latest.current = { onChange, onBlur }
  })
  const editor = useEditor({
    extensions: [StarterKit.configure({ heading: { levels: [2, 3] }, link: { openOnClick: false } }), Picture],
    content: value ?? '',
    autofocus: autoFocus ?? false,
    editable: !disabled,
    editorProps: {
      attributes: () => ({
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        ...(invalid && { 'aria-invalid': 'true' }),
        ...(required && { 'aria-required': 'true' }),
        ...(describedBy && { 'aria-describedby': describedBy }),
      }),
    },
    onUpdate: ({ editor }) => latest.current.onChange(editor.isEmpty ? null : editor.getHTML()),
    onBlur: () => latest.current.onBlur?.(),
  })
  // A value from elsewhere (reset, reload) replaces the content; input made here is already part of it.
  useEffect(() => {
    const shown = editor.isEmpty ? null : editor.getHTML()
    if (shown !== value) editor.commands.setContent(value ?? '', { emitUpdate: false })
  }, [editor, value])
  useEffect(() => editor.setEditable(!disabled, false), [editor, disabled])
  return (
    <div className={invalid ? 'rich-text rich-text-invalid' : 'rich-text'}>
      {!disabled && <Toolbar editor={editor} />}
      <EditorContent editor={editor} />
    </div>
  )
}

function Toolbar({ editor }: { editor: Editor }) {
  const { text } = useEngine()
  const state = useEditorState({
    editor,
    selector: ({ editor }) =>
      Object.fromEntries(
        tools.map(({ name, active, can }) => [name, { active: active?.(editor), able: can?.(editor) ?? true }]),
      ),
  })
  return (
    <div className="rich-text-toolbar" role="toolbar" aria-label={text(texts.toolbar)}>
      {tools.map(({ name, run }) => (
        <Button
          key={name}
          size="small"
          type={state[name].active ? 'primary' : 'text'}
          aria-pressed={state[name].active}
          {...pressable(state[name].able, () => run(editor))}
        >
          {text(texts[name])}
        </Button>
      ))}
      <LinkTool editor={editor} />
      <PictureTool editor={editor} />
    </div>
  )
}

function LinkTool({ editor }: { editor: Editor }) {
  const { text } = useEngine()
  const [address, setAddress] = useState<string>()
  const apply = () => {
    const link = editor.chain().focus().extendMarkRange('link')
    if (address?.trim()) link.setLink({ href: address.trim() }).run()
    else link.unsetLink().run()
    setAddress(undefined)
  }
  return (
    <Popover
      trigger="click"
      open={address !== undefined}
      onOpenChange={(open) => setAddress(open ? String(editor.getAttributes('link').href ?? '') : undefined)}
      content={
        <Space.Compact>
          <Input
            aria-label={text(texts.link)}
            placeholder="https://"
            value={address ?? ''}
            onChange={(event) => setAddress(event.target.value)}
            onPressEnter={(event) => {
              event.preventDefault()
              apply()
            }}
          />
          <Button type="primary" onClick={apply}>
            {text(texts.apply)}
          </Button>
        </Space.Compact>
      }
    >
      <Button size="small" type="text">
        {text(texts.link)}
      </Button>
    </Popover>
  )
}

function PictureTool({ editor }: { editor: Editor }) {
  const { text, upload } = useEngine()
  const { message } = useNotices()
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const insert = async (file: File) => {
    setBusy(true)
    try {
      const { url, name } = await upload(file, () => undefined)
      editor
        .chain()
        .focus()
        .insertContent({ type: 'picture', attrs: { src: url, alt: name } })
        .run()
    } catch {
      void message.error(text(texts.failed))
    }
    setBusy(false)
  }
  return (
    <>
      <Button size="small" type="text" loading={busySign(busy)} onClick={() => input.current?.click()}>
        {text(texts.picture)}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".jpg,.jpeg,.png,.gif"
        aria-label={text(texts.picture)}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void insert(file)
          event.target.value = ''
        }}
      />
    </>
  )
}

function RichTextDisplay({ value }: DisplayProps<string>) {
  const safe = DOMPurify.sanitize(value ?? '', { USE_PROFILES: { html: true } })
  return <div className="rich-text-display" dangerouslySetInnerHTML={{ __html: safe }} />
}

export const richTextView: WidgetView = { Edit: RichTextEdit, Display: RichTextDisplay, wide: true }
