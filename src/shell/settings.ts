import { create } from 'zustand'
import { constants } from './constants.ts'

export const sizes = ['default', 'medium', 'small', 'mini'] as const
export type Size = typeof sizes[number]

/** What a user chooses about the frame, kept in the browser under the specification's keys (sections 3 and 9). */
export interface Settings {
  theme: string
  size: Size
  tagsView: boolean
  sidebarLogo: boolean
}

const keys: Record<keyof Settings, string> = {
  theme: 'theme', size: 'size', tagsView: 'showTagsView', sidebarLogo: 'sidebarLogo',
}
export const defaults: Settings = { theme: constants.themeColour, size: 'medium', tagsView: true, sidebarLogo: true }

export function readSettings(storage: Pick<Storage, 'getItem'>): Settings {
  const flag = (key: 'tagsView' | 'sidebarLogo') => ({ true: true, false: false }[storage.getItem(keys[key]) ?? ''] ?? defaults[key])
  const theme = storage.getItem(keys.theme)
  return {
    theme: theme && /^#[0-9a-f]{6}$/i.test(theme) ? theme : defaults.theme,
    size: sizes.find((size) => size === storage.getItem(keys.size)) ?? defaults.size,
    tagsView: flag('tagsView'), sidebarLogo: flag('sidebarLogo'),
  }
}

export const useSettings = create<Settings & { change(part: Partial<Settings>): void }>()((set) => ({
  ...readSettings(localStorage),
  change: (part) => {
    for (const [key, value] of Object.entries(part)) localStorage.setItem(keys[key as keyof Settings], String(value))
    set(part)
  },
}))
