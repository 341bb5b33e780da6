import { ColorPicker, Drawer, Radio, Switch } from 'antd'
import type { ReactNode } from 'react'
import { language } from '../session/language.ts'
import { defaults, sizes, useSettings } from './settings.ts'
import { useShellWords } from './words.ts'

const presets = ['#1890ff', '#1677ff', '#13c2c2', '#237804', '#722ed1', '#c41d7f', '#d4380d', '#304156']

/** Theme colour, size, language, and which parts of the frame are shown. */
export default function SettingsDrawer({ onClose }: { onClose(): void }) {
  const t = useShellWords()
  const settings = useSettings()
  const { change } = settings
  const row = (id: string, label: string, control: ReactNode) => <div className="settings-row"><span id={id}>{label}</span>{control}</div>
  const flag = (key: 'tagsView' | 'sidebarLogo') =>
    row(`setting-${key}`, t(key), <Switch aria-labelledby={`setting-${key}`} checked={settings[key]} onChange={(checked) => change({ [key]: checked })} />)
  return (
    <Drawer open onClose={onClose} title={t('settings')} width={340}>
      {row('setting-theme', t('theme'), (
        <ColorPicker
          aria-labelledby="setting-theme" value={settings.theme} disabledAlpha presets={[{ label: t('theme'), colors: presets }]}
          onChangeComplete={(colour) => change({ theme: colour.toHexString() })}
        />
      ))}
      {row('setting-size', t('size'), (
        <Radio.Group aria-labelledby="setting-size" optionType="button" size="small" value={settings.size} onChange={(event) => change({ size: event.target.value })}
          options={sizes.map((value) => ({ value, label: t(`size-${value}`) }))} />
      ))}
      {row('setting-language', t('language'), (
        <Radio.Group aria-labelledby="setting-language" optionType="button" size="small" value={language.get()} onChange={(event) => language.set(event.target.value)}
          options={[{ value: 'cn', label: '中文' }, { value: 'en', label: 'English' }]} />
      ))}
      {flag('tagsView')}
      {flag('sidebarLogo')}
      <button type="button" className="settings-reset" onClick={() => change(defaults)}>
        {t('restoreDefaults')}
      </button>
    </Drawer>
  )
}
