import { create } from 'zustand'
import { constants } from './constants.ts'

export const sizes = ['default', 'medium', 'small', 'mini'] as const
export type Size = (typeof sizes)[number]
export const schemes = ['light', 'dark', 'system'] as const
export type Scheme = (typeof schemes)[number]

/** The user's choices for the frame, stored in the browser under the specification's keys (sections 3 and 9). */
export interface Settings {
  theme: string
  /** Light or dark, or the system's preference. */
  scheme: Scheme
  size: Size
  /** The header and the visited tabs stay in place when the content scrolls. */
  fixedHeader: boolean
  tagsView: boolean
  sidebarLogo: boolean
}
export type Flag = 'fixedHeader' | 'tagsView' | 'sidebarLogo'

const keys: Record<keyof Settings, string> = {
  theme: 'theme',
  scheme: 'scheme',
  size: 'size',
  fixedHeader: 'fixedHeader',
  tagsView: 'showTagsView',
  sidebarLogo: 'sidebarLogo',
}
export const defaults: Settings = {
  theme: constants.themeColour,
  scheme: 'light',
  size: 'medium',
  fixedHeader: false,
  tagsView: true,
  sidebarLogo: true,
}

export function readSettings(storage: Pick<Storage, 'getItem'>): Settings {
  const flag = (key: Flag) => ({ true: true, false: false })[storage.getItem(keys[key]) ?? ''] ?? defaults[key]
  const oneOf = <T extends string>(key: 'scheme' | 'size', values: readonly T[], otherwise: T) =>
    values.find((value) => value === storage.getItem(keys[key])) ?? otherwise
  const theme = storage.getItem(keys.theme)
  return {
    theme: theme && /^#[0-9a-f]{6}$/i.test(theme) ? theme : defaults.theme,
    scheme: oneOf('scheme', schemes, defaults.scheme),
    size: oneOf('size', sizes, defaults.size),
    fixedHeader: flag('fixedHeader'),
    tagsView: flag('tagsView'),
    sidebarLogo: flag('sidebarLogo'),
  }
}

interface Chosen extends Settings {
  /** The product's own colour, for users who have not chosen one. */
  standard: string
  change(part: Partial<Settings>): void
  /** Resets the choices. */
  restore(): void
  standFor(colour: string): void
}

export const useSettings = create<Chosen>()((set, get) => ({
  ...readSettings(localStorage),
  standard: defaults.theme,
  change: (part) => {
    for (const [key, value] of Object.entries(part)) localStorage.setItem(keys[key as keyof Settings], String(value))
    set(part)
  },
  restore: () => {
    for (const key of Object.values(keys)) localStorage.removeItem(key)
    set({ ...defaults, theme: get().standard })
  },
  standFor: (standard) => set({ standard, ...(localStorage.getItem(keys.theme) === null && { theme: standard }) }),
}))
