import { Drawer, Radio, Switch } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { language, ownName } from '../session/language.ts'
import { schemes, sizes, useSettings } from './settings.ts'
import type { Flag } from './settings.ts'
import { useShellWords } from './words.ts'

const presets = ['#1890ff', '#2f54eb', '#13c2c2', '#237804', '#722ed1', '#c41d7f', '#d4380d', '#304156']

/** Theme colour, scheme, size, language, and frame behaviour; a choice applies at once and is stored in the browser. */
export default function SettingsDrawer({ onClose }: { onClose(): void }) {
  const t = useShellWords()
  const settings = useSettings()
  const [open, setOpen] = useState(true)
  const { change, restore } = settings
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
      <ColourRow />
      <ChoiceRow
        name="scheme"
        label={t('scheme')}
        value={settings.scheme}
        options={schemes.map((value) => ({ value, label: t(`scheme-${value}`) }))}
        onChoose={(scheme) => change({ scheme })}
      />
      <ChoiceRow
        name="size"
        label={t('size')}
        value={settings.size}
        options={sizes.map((value) => ({ value, label: t(`size-${value}`) }))}
        onChoose={(size) => change({ size })}
      />
      <ChoiceRow
        name="language"
        label={t('language')}
        value={language.get()}
        options={language.listed().map((value) => ({ value, label: ownName(value) }))}
        onChoose={language.set}
      />
      <FlagRow flag="fixedHeader" label={t('fixedHeader')} />
      <FlagRow flag="tagsView" label={t('tagsView')} />
      <FlagRow flag="sidebarLogo" label={t('sidebarLogo')} />
      <button type="button" className="settings-reset" onClick={restore}>
        {t('restoreDefaults')}
      </button>
    </Drawer>
  )
}

const idOf = (name: string) => `setting-${name}`

function Row({ name, label, children }: { name: string; label: string; children: ReactNode }) {
  return (
    <div className="settings-row">
      <span id={idOf(name)}>{label}</span>
      {children}
    </div>
  )
}

function ColourRow() {
  const t = useShellWords()
  const { theme, change } = useSettings()
  return (
    <Row name="theme" label={t('theme')}>
      <div className="settings-colours" role="group" aria-labelledby={idOf('theme')}>
        {presets.map((colour) => (
          <button
            key={colour}
            type="button"
            aria-label={colour}
            title={colour}
            aria-pressed={theme === colour}
            style={{ background: colour }}
            onClick={() => change({ theme: colour })}
          />
        ))}
        <input
          type="color"
          aria-label={t('ownColour')}
          title={t('ownColour')}
          value={theme}
          onChange={(event) => change({ theme: event.target.value })}
        />
      </div>
    </Row>
  )
}

interface ChoiceRowProps<T extends string> {
  name: string
  label: string
  value: T
  options: { value: T; label: string }[]
  onChoose(value: T): void
}

function ChoiceRow<T extends string>({ name, label, value, options, onChoose }: ChoiceRowProps<T>) {
  return (
    <Row name={name} label={label}>
      <Radio.Group
        aria-labelledby={idOf(name)}
        optionType="button"
        size="small"
        value={value}
        options={options}
        onChange={(event) => onChoose(event.target.value as T)}
      />
    </Row>
  )
}

function FlagRow({ flag, label }: { flag: Flag; label: string }) {
  const { [flag]: checked, change } = useSettings()
  return (
    <Row name={flag} label={label}>
      <Switch aria-labelledby={idOf(flag)} checked={checked} onChange={(turned) => change({ [flag]: turned })} />
    </Row>
  )
}
