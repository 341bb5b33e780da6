import { useEffect, useState } from 'react'
import { constants } from './constants.ts'

const storageKey = 'sidebarStatus'
const { mobileBelow } = constants

/**
 * The sidebar's open state is remembered, and it closes when the window becomes narrow; in a narrow window, also on
 * navigation.
 */
export function useSidebar(here: string) {
  const [mobile, setMobile] = useState(window.innerWidth < mobileBelow)
  const [collapsed, setCollapsed] = useState(mobile || localStorage.getItem(storageKey) === '0')

  useEffect(() => {
    const query = window.matchMedia(`(max-width: ${mobileBelow - 1}px)`)
    const change = () => {
      setMobile(query.matches)
      setCollapsed(query.matches || localStorage.getItem(storageKey) === '0')
    }
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])

  useEffect(() => {
    if (mobile) setCollapsed(true)
  }, [here, mobile])

  const toggle = () =>
    setCollapsed((before) => {
      if (!mobile) localStorage.setItem(storageKey, before ? '1' : '0')
      return !before
    })
  return { mobile, collapsed, toggle }
}
