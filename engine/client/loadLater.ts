import { arrive } from './lazy.ts'

/** Loads antd's dialogs, menus and messages. */
export const loadLater = () => import('./later.ts')

/** Once nothing else waits. */
export const preloadLater = () => arrive(loadLater)
