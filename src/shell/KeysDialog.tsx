import { Modal } from 'antd'
import { useState } from 'react'
import { useShellWords } from './words.ts'

const shortcuts = [
  ['search', 'Ctrl K'],
  ['save', 'Ctrl S'],
  ['undo', 'Ctrl Z'],
  ['redo', 'Ctrl Shift Z'],
  ['rows', 'J', 'K'],
  ['open', 'Enter'],
  ['edit', 'E'],
  ['tick', 'Space'],
  ['heads', '←', '→'],
  ['width', 'Shift ←', 'Shift →'],
  ['cell', 'F2'],
  ['tabs', '←', '→', 'Delete'],
  ['escape', 'Esc'],
  ['all', '?'],
] as const

/** Lists every keyboard shortcut. */
export default function KeysDialog({ onClose }: { onClose(): void }) {
  const t = useShellWords()
  const [open, setOpen] = useState(true)
  const close = () => setOpen(false)
  return (
    <Modal open={open} title={t('keys')} footer={null} width={520} onCancel={close} afterClose={onClose}>
      <dl className="keys">
        {shortcuts.map(([name, ...keys]) => (
          <div key={name}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(`keys-${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
