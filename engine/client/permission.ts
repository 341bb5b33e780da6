import { useNotices } from './notices.tsx'
import { useClient } from './frame.ts'
import { useWords } from './words.ts'

/** Permission strings of the signed-in user; undefined until read. */
type Stored = ReadonlySet<string> | undefined

const permits = (stored: Stored, permission: string): boolean => stored?.has(permission) ?? true

/** The buttons or screens of a list that the user has permission for. */
export const permitted = <B extends { permission: string; opens?: string[] }>(
  buttons: readonly B[],
  stored: Stored,
): B[] => buttons.filter(({ permission, opens = [permission] }) => opens.some((each) => permits(stored, each)))

/**
 * The button-permission check (specification, section 6): a permission string against those of the session, and against
 * the screen's plan, which is newer if roles were changed meanwhile.
 */
export function useButtonPermission(granted: Record<string, boolean>) {
  const { permissions } = useClient()
  const { message } = useNotices()
  const words = useWords()
  const has = (permission: string) => granted[permission] !== false && permits(permissions?.(), permission)
  return {
    has,
    /** @returns false if it is missing, and says so: the action stops. */
    check(permission: string): boolean {
      if (has(permission)) return true
      void message.error(words('noPermission'))
      return false
    },
  }
}
