import { Input } from 'antd'
import { useState } from 'react'
import type { EditProps, WidgetView } from '../../client/view.ts'
import { useEngine } from '../../client/view.ts'
import { controlProps } from '../text/text.view.tsx'
import { isMasked } from './secret.ts'

/** Empty means unchanged: the stored secret shows as a placeholder, and reappears when the input is cleared. */
function Edit(props: EditProps<string>) {
  const { value, onChange, onBlur, field, placeholder } = props
  const { text } = useEngine()
  const [kept, setKept] = useState<string | null>(null)
  if (isMasked(value) && value !== kept) setKept(value)
  const Control = field.options.multiline ? Input.TextArea : Input.Password
  return (
    <Control
      {...controlProps(props)}
      {...(field.options.multiline && { rows: 4 })}
      placeholder={
        kept === null ? placeholder : text({ cn: `${kept}，不填则不修改`, en: `${kept}, leave empty to keep` })
      }
      autoComplete="off"
      spellCheck={false}
      value={isMasked(value) ? '' : (value ?? '')}
      onChange={(event) => onChange(event.target.value || kept)}
      onBlur={onBlur}
    />
  )
}

export const secretView: WidgetView = { Edit }
