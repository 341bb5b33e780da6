import { label, list, shape, string } from '../../model/model.ts'
import type { Label, ScreenKind, Static } from '../../model/model.ts'

const tabsShape = shape({
  tabs: list(
    shape({
      name: string(),
      label: label(),
      /** Another screen, rendered unchanged. The tab is hidden from users who may not open it. */
      screen: string({ names: 'screen', scope: true }),
    }),
    { minItems: 1, distinct: ['name'] },
  ),
})
export type TabsFile = Static<typeof tabsShape>

/** `parameters`: those of the address that belong to the screen. */
export interface TabsPlan {
  tabs: { name: string; label: Label; screen: string; permission: string; parameters: string[] }[]
}

/** Several screens under one address. The permission of any of them opens it. */
export const tabs: ScreenKind<TabsFile, TabsPlan> = {
  kind: 'tabs',
  label: { cn: '多页签', en: 'Tabs' },
  shape: tabsShape,
  data: 'none',
  assemble: (file, scope) => ({
    tabs: file.tabs.map((tab) => ({
      ...tab,
      permission: scope.permissionOfScreen(tab.screen),
      parameters: scope.screen(tab.screen)?.file.parameters.map(({ name }) => name) ?? [],
    })),
  }),
  opens: ({ tabs }) => tabs.map(({ permission }) => permission),
}
