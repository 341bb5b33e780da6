/** All screen kinds: the React halves, each loaded when the first screen of its kind is opened. */
import type { ScreenView } from '../client/frame.ts'

export const screenViews: Record<string, () => Promise<ScreenView>> = {
  list: async () => (await import('./list/list.view.tsx')).ListView,
  form: async () => (await import('./form/form.view.tsx')).FormView,
  detail: async () => (await import('./detail/detail.view.tsx')).DetailView,
  report: async () => (await import('./report/report.view.tsx')).ReportView,
  settings: async () => (await import('./settings/settings.view.tsx')).SettingsView,
  imports: async () => (await import('./list/list.view.tsx')).ListView,
  importDetail: async () => (await import('./importDetail/importDetail.view.tsx')).ImportDetailView,
  tabs: async () => (await import('./tabs/tabs.view.tsx')).TabsView,
  board: async () => (await import('./board/board.view.tsx')).BoardView,
}
