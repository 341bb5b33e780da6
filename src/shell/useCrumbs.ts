import { textIn } from '../../engine/model/language.ts'
import { useAppBundle, useClient } from '../../engine/client/index.ts'
import type { Crumb } from './Header.tsx'
import type { useVisiting } from './useVisiting.ts'
import { useShellWords } from './words.ts'

/** The path to the open screen: its area, its parent screens, and the screen itself. */
export function useCrumbs({ screen, above, title, tab, pageTitle }: ReturnType<typeof useVisiting>): Crumb[] {
  const t = useShellWords()
  const { language } = useClient()
  const { app } = useAppBundle()
  if (!screen) return [{ title: pageTitle ?? t('notFoundTitle') }]
  const area = app.areas.find(({ name }) => name === screen.area)
  return [
    ...(area && screen.route !== app.home ? [{ title: textIn(area.label, language) }] : []),
    ...above.map((each) => ({ title: title(each), to: each.route })).reverse(),
    { title: title(screen, tab?.parameters) },
  ]
}
