import { Input } from 'antd'
import type { DisplayProps, EditProps, WidgetView } from '../../client/view.ts'
import { lengthOf } from '../text/text.ts'
import { controlProps, TextFilter } from '../text/text.view.tsx'
import { textarea } from './textarea.ts'
import type { TextareaOptions } from './textarea.ts'

function Edit(props: EditProps<string>) {
  const { value, onChange, onBlur, field } = props
  const options = field.options as TextareaOptions
  return (
    <Input.TextArea
      {...controlProps(props)}
      rows={options.rows}
      count={{ show: true, max: options.maxLength, strategy: lengthOf }}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || null)}
      onBlur={() => {
        const canonical = textarea.normalize(value, options)
        if (canonical !== (value ?? null)) onChange(canonical)
        onBlur?.()
      }}
    />
  )
}

const Display = ({ value }: DisplayProps<string>) => (
  <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{value}</span>
)

export const textareaView: WidgetView = { Edit, Display, Filter: TextFilter, wide: true }
