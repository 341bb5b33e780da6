import { Input } from 'antd'
import type { EditProps, WidgetView } from '../../client/view.ts'
import { useEngine } from '../../client/view.ts'
import { controlProps, TextFilter } from '../text/text.view.tsx'

function Edit(props: EditProps<string>) {
  const { text } = useEngine()
  return (
    <Input
      {...controlProps(props)}
      disabled={props.disabled || props.field.options.own === undefined}
      placeholder={text({ cn: '保存后自动生成', en: 'Assigned on save' })}
      value={props.value ?? ''}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}

export const numberSeriesView: WidgetView = { Edit, Filter: TextFilter }
