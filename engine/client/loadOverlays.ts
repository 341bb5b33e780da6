import { loadWithRetry } from './loadWithRetry.ts'

/** Loads antd's dialogs, menus and messages. */
export const loadOverlays = () => import('./antdOverlays.ts')

/** Once the browser is idle. */
export const preloadOverlays = () => loadWithRetry(loadOverlays)
