import { Input } from 'antd'
import { useState } from 'react'
import type { EditProps, WidgetView } from '../../client/view.ts'
import { useEngine } from '../../client/view.ts'
import { controlProps } from '../text/text.view.tsx'
import { isMasked, secret } from './secret.ts'
import type { SecretOptions } from './secret.ts'

/** Empty means unchanged: the stored secret shows as a placeholder, and reappears when the input is cleared. */
function Edit(props: EditProps<string>) {
  const { value, onChange, onBlur, field, placeholder } = props
  const { text } = useEngine()
  const [kept, setKept] = useState<string | null>(null)
  if (isMasked(value) && value !== kept) setKept(value)
  const options = field.options as SecretOptions
  const Control = options.multiline ? Input.TextArea : Input.Password
  return (
    <Control
      {...controlProps(props)}
      {...(options.multiline && { rows: 4 })}
      placeholder={
        kept === null ? placeholder : text({ cn: `${kept}，不填则不修改`, en: `${kept}, leave empty to keep` })
      }
      autoComplete="off"
      spellCheck={false}
      value={isMasked(value) ? '' : (value ?? '')}
      // Spaces alone are empty, and would be refused where a secret is required.
      onChange={(event) => onChange(event.target.value.trim() ? event.target.value : kept)}
      onBlur={() => {
        const canonical = secret.normalize(value, options)
        if (canonical !== (value ?? null)) onChange(canonical)
        onBlur?.()
      }}
    />
  )
}

export const secretView: WidgetView = { Edit }
