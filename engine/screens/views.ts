/** All screen kinds: the React halves, each loaded when the first screen of its kind is opened. */
import type { ScreenView } from '../client/frame.ts'
import { loadCommonViews } from '../widgets/views.ts'

/** The view with the common widgets, which it needs to be drawn at all. */
async function withWidgets<T>(view: Promise<T>): Promise<T> {
  return (await Promise.all([view, loadCommonViews()]))[0]
}

export const screenViews: Record<string, () => Promise<ScreenView>> = {
  list: async () => (await import('./list/list.view.tsx')).ListView,
  form: async () => (await withWidgets(import('./form/form.view.tsx'))).FormView,
  detail: async () => (await withWidgets(import('./detail/detail.view.tsx'))).DetailView,
  report: async () => (await import('./report/report.view.tsx')).ReportView,
  settings: async () => (await withWidgets(import('./settings/settings.view.tsx'))).SettingsView,
  imports: async () => (await import('./list/list.view.tsx')).ListView,
  importDetail: async () => (await import('./importDetail/importDetail.view.tsx')).ImportDetailView,
  tabs: async () => (await import('./tabs/tabs.view.tsx')).TabsView,
  board: async () => (await import('./board/board.view.tsx')).BoardView,
}
