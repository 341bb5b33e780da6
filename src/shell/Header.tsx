import {
  FullscreenExitOutlined,
  FullscreenOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  QuestionCircleOutlined,
  SettingOutlined,
} from '@ant-design/icons'
import { useClient, useNotices } from '../../engine/client/index.ts'
import { LanguageSwitch } from '../session/LanguageSwitch.tsx'
import { toggleFullscreen, useIsFullscreen } from './fullscreen.ts'
import { MessageButton } from './MessageDrawer.tsx'
import { RouteSearch } from './RouteSearch.tsx'
import { UserMenu } from './UserMenu.tsx'
import type { UserMenuProps } from './UserMenu.tsx'
import { useShellWords } from './words.ts'

export interface Crumb {
  title: string
  to?: string
}

interface HeaderProps extends UserMenuProps {
  crumbs: Crumb[]
  /** The address of the help on the open screen. */
  help: string
  collapsed: boolean
  onToggle(): void
  onSettings(): void
  isDrawn: boolean
}

/** The bar above the screens: sidebar toggle, breadcrumb, language, and the user's menu. */
export function Header({ crumbs, help, collapsed, onToggle, onSettings, isDrawn, ...userMenu }: HeaderProps) {
  const t = useShellWords()
  const { href } = useClient()
  const { message } = useNotices()
  const isFullscreen = useIsFullscreen()
  const fullscreen = async () => {
    if (!(await toggleFullscreen())) message.warning(t('noFullscreen'))
  }
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
      <MessageButton isDrawn={isDrawn} />
      <button type="button" className="header-button" aria-label={t('settings')} onClick={onSettings}>
        <SettingOutlined />
      </button>
      <LanguageSwitch className="header-button header-text" label={t('language')} />
      <UserMenu {...userMenu} />
    </header>
  )
}
