import { App } from 'antd'
import { useClient } from './frame.ts'
import { useWords } from './words.ts'

/** Permission strings of the signed-in user; undefined until they were read. */
type Stored = ReadonlySet<string> | undefined

const permits = (stored: Stored, permission: string): boolean => stored?.has(permission) ?? true

/** Of a list of buttons, or of screens, those that the user may press or open. */
export const permitted = <B extends { permission: string; opens?: string[] }>(
  buttons: readonly B[],
  stored: Stored,
): B[] => buttons.filter(({ permission, opens = [permission] }) => opens.some((each) => permits(stored, each)))

/**
 * The button-permission check (specification, section 6): a permission string against those that the session keeps, and
 * against what the plan of the screen says of it, which is newer where roles were changed meanwhile.
 */
export function useButtonPermission(granted: Record<string, boolean>) {
  const { permissions } = useClient()
  const { message } = App.useApp()
  const words = useWords()
  const has = (permission: string) => granted[permission] !== false && permits(permissions?.(), permission)
  return {
    has,
    /** @returns false where it is absent, and says so: the action goes no further. */
    check(permission: string): boolean {
      if (has(permission)) return true
      void message.error(words('noPermission'))
      return false
    },
  }
}
