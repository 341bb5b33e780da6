import { DownOutlined, UserOutlined } from '@ant-design/icons'
import { useRef } from 'react'
import type { SyntheticEvent } from 'react'
import { Dropdown, useClient } from '../../engine/client/index.ts'
import { inspectKeys, inspectPermission, useInspecting } from '../desk/inspecting.ts'
import { reloadPermission, useReload } from '../desk/useReload.ts'
import { useDeskWords } from '../desk/words.ts'
import { usePermissions } from './usePermissions.ts'
import { useShellWords } from './words.ts'

export interface UserMenuProps {
  onHome(): void
  onChangePassword(): void
  onLogOut(): void
}

/** What the signed-in user can do besides using the screens. */
export function UserMenu({ onHome, onChangePassword, onLogOut }: UserMenuProps) {
  const t = useShellWords()
  const { user } = useClient()
  const desk = useDeskWords()
  const reload = useReload()
  const may = usePermissions()
  const userButton = useRef<HTMLButtonElement>(null)
  // Whatever opens next returns the focus to the button, not to the menu that is gone; the Enter key that chose must
  // not press the button.
  const item = (key: string, label: string, run: () => void) => ({
    key,
    label,
    onClick: ({ domEvent }: { domEvent: SyntheticEvent }) => {
      domEvent.preventDefault()
      userButton.current?.focus()
      run()
    },
  })
  const offered = [
    ...(may?.has(inspectPermission)
      ? [item('inspect', `${desk('inspect')} (${inspectKeys})`, useInspecting.getState().toggle)]
      : []),
    ...(may?.has(reloadPermission) ? [item('reload', desk('reload'), () => void reload())] : []),
  ]
  const items = [
    item('home', t('home'), onHome),
    item('password', t('changePassword'), onChangePassword),
    ...(offered.length > 0 ? [{ type: 'divider' as const, key: 'desk' }, ...offered] : []),
    { type: 'divider' as const },
    item('logout', t('logOut'), onLogOut),
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']} autoFocus>
      <button
        ref={userButton}
        type="button"
        className="header-button header-user"
        aria-label={`${t('user')}: ${user.name}`}
        aria-haspopup="menu"
      >
        <span className="header-avatar" aria-hidden="true">
          <UserOutlined />
        </span>
        <span className="header-name">{user.name}</span>
        <DownOutlined style={{ fontSize: 10 }} />
      </button>
    </Dropdown>
  )
}
