import { textIn } from '../../engine/model/language.ts'
import { Drawer, useAppBundle, useClient, usePrefetchScreen } from '../../engine/client/index.ts'
import type { useMenu } from '../../engine/client/index.ts'
import { constants } from './constants.ts'
import { useSettings } from './settings.ts'
import { Sidebar } from './Sidebar.tsx'
import type { useSidebar } from './useSidebar.ts'
import { useShellWords } from './words.ts'

interface SideProps {
  sidebar: ReturnType<typeof useSidebar>
  items: ReturnType<typeof useMenu>['items']
  /** The route whose entry is highlighted. */
  current: string
}

/** The menu beside the screens; on a phone it slides over them. */
export function Side({ sidebar: { mobile, collapsed, toggle }, items, current }: SideProps) {
  const t = useShellWords()
  const { language } = useClient()
  const { app } = useAppBundle()
  const settings = useSettings()
  const prefetch = usePrefetchScreen()
  const side = (
    <Sidebar
      items={items}
      current={current}
      title={textIn(app.title, language)}
      collapsed={collapsed && !mobile}
      logo={settings.sidebarLogo}
      onPrefetch={prefetch}
    />
  )
  if (!mobile) return side
  return (
    <Drawer
      open={!collapsed}
      onClose={toggle}
      placement="left"
      width={constants.sidebarWidth}
      closable={false}
      styles={{ body: { padding: 0 } }}
      title={null}
      aria-label={t('menu')}
    >
      {side}
    </Drawer>
  )
}
