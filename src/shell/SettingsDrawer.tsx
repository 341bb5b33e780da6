import { Drawer, Radio, Switch } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { language } from '../session/language.ts'
import { schemes, sizes, useSettings } from './settings.ts'
import type { Flag } from './settings.ts'
import { useShellWords } from './words.ts'

const presets = ['#1890ff', '#2f54eb', '#13c2c2', '#237804', '#722ed1', '#c41d7f', '#d4380d', '#304156']

/**
 * Theme colour, scheme, size, language, and how the frame behaves. What is chosen is there at once and kept in the
 * browser.
 */
export default function SettingsDrawer({ onClose }: { onClose(): void }) {
  const t = useShellWords()
  const settings = useSettings()
  const [open, setOpen] = useState(true)
  const { change, restore } = settings
  const row = (key: string, label: string, control: ReactNode) => (
    <div className="settings-row">
      <span id={`setting-${key}`}>{label}</span>
      {control}
    </div>
  )
  const choice = <T extends string>(
    key: string,
    label: string,
    value: T,
    options: { value: T; label: string }[],
    choose: (value: T) => void,
  ) =>
    row(
      key,
      label,
      <Radio.Group
        aria-labelledby={`setting-${key}`}
        optionType="button"
        size="small"
        value={value}
        options={options}
        onChange={(event) => choose(event.target.value as T)}
      />,
    )
  const flag = (key: Flag) =>
    row(
      key,
      t(key),
      <Switch
        aria-labelledby={`setting-${key}`}
        checked={settings[key]}
        onChange={(checked) => change({ [key]: checked })}
      />,
    )
  return (
    <Drawer
      open={open}
      onClose={() => setOpen(false)}
      afterOpenChange={(shown) => {
        if (!shown) onClose()
      }}
      title={t('settings')}
      width="min(360px, 100vw)"
    >
      {row(
        'theme',
        t('theme'),
        <div className="settings-colours" role="group" aria-labelledby="setting-theme">
          {presets.map((colour) => (
            <button
              key={colour}
              type="button"
              aria-label={colour}
              title={colour}
              aria-pressed={settings.theme === colour}
              style={{ background: colour }}
              onClick={() => change({ theme: colour })}
            />
          ))}
          <input
            type="color"
            aria-label={t('ownColour')}
            title={t('ownColour')}
            value={settings.theme}
            onChange={(event) => change({ theme: event.target.value })}
          />
        </div>,
      )}
      {choice(
        'scheme',
        t('scheme'),
        settings.scheme,
        schemes.map((value) => ({ value, label: t(`scheme-${value}`) })),
        (scheme) => change({ scheme }),
      )}
      {choice(
        'size',
        t('size'),
        settings.size,
        sizes.map((value) => ({ value, label: t(`size-${value}`) })),
        (size) => change({ size }),
      )}
      {choice(
        'language',
        t('language'),
        language.get(),
        [
          { value: 'cn', label: '中文' },
          { value: 'en', label: 'English' },
        ],
        language.set,
      )}
      {flag('fixedHeader')}
      {flag('tagsView')}
      {flag('sidebarLogo')}
      <button type="button" className="settings-reset" onClick={restore}>
        {t('restoreDefaults')}
      </button>
    </Drawer>
  )
}
