import { SearchOutlined } from '@ant-design/icons'
import { Modal } from '../../engine/client/index.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useShellWords } from './words.ts'

const RoutePalette = lazy(() => import('./RoutePalette.tsx'))

/**
 * Searches every screen that opens without parameters: by titles in every language, pinyin and initials, and path. Ctrl
 * K opens it.
 */
export function RouteSearch() {
  const t = useShellWords()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setOpen(true)
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className="header-button"
        aria-label={t('search')}
        title={`${t('search')} (Ctrl K)`}
        onClick={() => setOpen(true)}
      >
        <SearchOutlined />
      </button>
      <Modal
        open={open}
        onCancel={() => setOpen(false)}
        footer={null}
        closable={false}
        destroyOnHidden
        width={560}
        afterOpenChange={(shown) => {
          if (shown) document.getElementById('palette-input')?.focus()
        }}
        title={<span className="visually-hidden">{t('search')}</span>}
        styles={{ body: { padding: 0 } }}
      >
        <Suspense fallback={null}>
          <RoutePalette onDone={() => setOpen(false)} />
        </Suspense>
      </Modal>
    </>
  )
}
