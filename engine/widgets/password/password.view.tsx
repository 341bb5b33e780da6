import { Flex, Input } from 'antd'
import type { EditProps, WidgetView } from '../../client/view.ts'
import { useEngine } from '../../client/view.ts'
import { controlProps } from '../text/text.view.tsx'
import { typedPassword } from './password.ts'

function Edit(props: EditProps) {
  const { value, onChange, onBlur, label, id } = props
  const { text } = useEngine()
  const once = typeof value === 'string' ? value : ''
  const { password, confirmation } = typedPassword(value) ?? { password: once, confirmation: once }
  const change = (password: string, confirmation: string) =>
    onChange(password || confirmation ? { password, confirmation } : null)
  const again = text({ cn: '请再次输入', en: 'Enter it again' })
  return (
    <Flex vertical gap="small" role="group" aria-label={label}>
      <Input.Password
        {...controlProps(props)}
        autoComplete="new-password"
        value={password}
        onChange={(event) => change(event.target.value, confirmation)}
      />
      <Input.Password
        {...controlProps(props)}
        id={`${id}-confirmation`}
        autoFocus={false}
        aria-label={`${label} ${again}`}
        placeholder={again}
        autoComplete="new-password"
        value={confirmation}
        onChange={(event) => change(password, event.target.value)}
        // The first input alone says nothing about the pair, so the check waits for the second one.
        onBlur={onBlur}
      />
    </Flex>
  )
}

export const passwordView: WidgetView = { Edit }
