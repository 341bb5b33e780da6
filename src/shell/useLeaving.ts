import { useEffect } from 'react'
import { useAppBundle, useStable, useNotices } from '../../engine/client/index.ts'
import { forget, loginRoute } from '../session/session.ts'
import { useGo } from './GoProvider.tsx'
import { addressOf, useTabs } from './tabs.ts'
import { useShellWords } from './words.ts'

/** Prompts if there is unsaved work before tabs are closed or rebuilt, or the session ends. */
export function useLeaving() {
  const t = useShellWords()
  const bundle = useAppBundle()
  const { modal } = useNotices()
  const go = useGo()
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (useTabs.getState().tabs.some((each) => each.dirty)) event.preventDefault()
    }
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => window.removeEventListener('beforeunload', onBeforeUnload)
  }, [])

  const confirmUnsaved = async (keys: string[]) => {
    const dirty = useTabs.getState().tabs.some((each) => keys.includes(each.key) && each.dirty)
    return (
      !dirty ||
      modal.confirm({
        title: t('unsavedTitle'),
        content: t('unsaved'),
        okText: t('confirm'),
        cancelText: t('cancel'),
      })
    )
  }
  /** @param to where to go then, instead of to the next tab */
  const closeTabs = useStable(async (keys: string[], to?: string) => {
    if (!(await confirmUnsaved(keys))) return
    const { active: before, close } = useTabs.getState()
    keys.forEach((key) => close(key))
    const state = useTabs.getState()
    if (!to && state.active === before) return
    const next = state.tabs.find((each) => each.key === state.active)
    go(to ?? (next ? addressOf(next) : bundle.app.home))
  })
  const refreshTab = useStable(async (key: string) => {
    if (await confirmUnsaved([key])) useTabs.getState().refresh(key)
  })
  const leave = (notice?: string) => {
    forget()
    useTabs.getState().reset()
    go(loginRoute, false, { notice })
  }
  return {
    closeTabs,
    refreshTab,
    leave,
    async logOut() {
      const dirty = useTabs.getState().tabs.some((each) => each.dirty)
      const sure = await modal.confirm({
        title: t('logOut'),
        content: t(dirty ? 'logOutDirty' : 'logOutConfirm'),
        okText: t('confirm'),
        cancelText: t('cancel'),
      })
      if (sure) leave()
    },
  }
}
