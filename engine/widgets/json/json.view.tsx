import { Descriptions, Input } from 'antd'
import { ChangeTable } from '../../client/ChangeTable.tsx'
import type { DisplayProps, EditProps, WidgetView } from '../../client/view.ts'
import { controlProps } from '../text/text.view.tsx'
import { useEngine } from '../../client/view.ts'
import { changesIn, json, jsonEntries, messagesIn, typedJson } from './json.ts'
import type { JsonOptions, JsonValue } from './json.ts'

function Edit(props: EditProps) {
  const { value, onChange, onBlur, field } = props
  return (
    <Input.TextArea
      {...controlProps(props)}
      rows={6}
      spellCheck={false}
      style={{ fontFamily: 'monospace' }}
      value={typedJson(value)}
      // The text stays as typed, because formatting it with every key would move the caret.
      onChange={(event) => onChange(event.target.value || null)}
      onBlur={() => {
        if (typeof value === 'string') onChange(json.normalize(value, field.options as JsonOptions))
        onBlur?.()
      }}
    />
  )
}

function Display({ value, field }: DisplayProps<JsonValue>) {
  const { text } = useEngine()
  const messages = messagesIn(value, field.options as JsonOptions)
  if (messages?.length === 1) return text(messages[0])
  if (messages)
    return (
      <ul style={{ margin: 0, paddingInlineStart: 20 }}>
        {messages.map((message, index) => (
          <li key={index}>{text(message)}</li>
        ))}
      </ul>
    )
  const changes = changesIn(value, field.options as JsonOptions)
  if (changes) return <ChangeTable changes={changes} />
  return (
    value && (
      <Descriptions
        size="small"
        bordered
        column={1}
        items={jsonEntries(value).map(([key, item]) => ({ key, label: key, children: item }))}
      />
    )
  )
}

export const jsonView: WidgetView = { Edit, Display, wide: true }
