import { Select } from 'antd'
import type { EditProps, WidgetView } from '../../client/view.ts'
import { controlProps, TextFilter } from '../text/text.view.tsx'
import { separators, texts } from './texts.ts'
import type { TextsOptions } from './texts.ts'

function Edit(props: EditProps<string[]>) {
  const { value, onChange, onBlur, field, label } = props
  const items = Array.isArray(value) ? value : []
  return (
    <Select<string[]>
      {...controlProps(props)}
      aria-label={label}
      style={{ width: '100%' }}
      mode="tags"
      // There are no options: input becomes a tag.
      open={false}
      suffixIcon={null}
      tokenSeparators={separators}
      value={items}
      onChange={(typed) => onChange(texts.normalize(typed, field.options as TextsOptions))}
      onBlur={onBlur}
    />
  )
}

export const textsView: WidgetView = { Edit, Filter: TextFilter }
