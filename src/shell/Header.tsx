import {
  DownOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  QuestionCircleOutlined,
  SettingOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { App, Dropdown } from 'antd'
import { useRef } from 'react'
import type { SyntheticEvent } from 'react'
import { useClient } from '../../engine/client/index.ts'
import { inspectKeys, inspectPermission, useInspecting } from '../desk/inspecting.ts'
import { reloadPermission, useReload } from '../desk/useReload.ts'
import { useDeskWords } from '../desk/words.ts'
import { language } from '../session/language.ts'
import { toggleFullscreen, useIsFullscreen } from './fullscreen.ts'
import { MessageButton } from './MessageDrawer.tsx'
import { RouteSearch } from './RouteSearch.tsx'
import { usePermissions } from './usePermissions.ts'
import { useShellWords } from './words.ts'

export interface Crumb {
  title: string
  to?: string
}

interface HeaderProps {
  crumbs: Crumb[]
  /** Where the help on the open screen is. */
  help: string
  collapsed: boolean
  onToggle(): void
  onHome(): void
  onSettings(): void
  onChangePassword(): void
  onLogOut(): void
}

/** The bar above the screens: sidebar toggle, where one is, language, and the user's menu. */
export function Header({
  crumbs,
  help,
  collapsed,
  onToggle,
  onHome,
  onSettings,
  onChangePassword,
  onLogOut,
}: HeaderProps) {
  const t = useShellWords()
  const { user, href } = useClient()
  const desk = useDeskWords()
  const reload = useReload()
  const may = usePermissions()
  const { message } = App.useApp()
  const isFullscreen = useIsFullscreen()
  const fullscreen = async () => {
    if (!(await toggleFullscreen())) message.warning(t('noFullscreen'))
  }
  const userButton = useRef<HTMLButtonElement>(null)
  // Whatever opens next gives the focus back to the button, not to the vanished menu; the Enter that chose is not for
  // the button.
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
    <header className="header">
      <button
        type="button"
        className="header-button"
        aria-label={t(collapsed ? 'expand' : 'collapse')}
        aria-expanded={!collapsed}
        onClick={onToggle}
      >
        {collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
      </button>
      <nav aria-label={t('breadcrumb')} className="header-crumbs">
        <ol>
          {crumbs.map((crumb, index) => (
            <li key={index} aria-current={index === crumbs.length - 1 ? 'page' : undefined}>
              {crumb.to ? <a href={href(crumb.to)}>{crumb.title}</a> : crumb.title}
            </li>
          ))}
        </ol>
      </nav>
      <RouteSearch />
      <button
        type="button"
        className="header-button header-wide"
        aria-label={t(isFullscreen ? 'leaveFullscreen' : 'fullscreen')}
        onClick={() => void fullscreen()}
      >
        {isFullscreen ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
      </button>
      <a className="header-button" href={href(help)} aria-label={t('help')} title={t('help')}>
        <QuestionCircleOutlined />
      </a>
      <MessageButton />
      <button type="button" className="header-button" aria-label={t('settings')} onClick={onSettings}>
        <SettingOutlined />
      </button>
      <button
        type="button"
        className="header-button header-text"
        lang={language.get() === 'cn' ? 'en' : 'zh-CN'}
        onClick={() => language.set(language.get() === 'cn' ? 'en' : 'cn')}
      >
        {t('otherLanguage')}
      </button>
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
    </header>
  )
}
