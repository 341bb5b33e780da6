import type { ConfigProviderProps } from 'antd'
import enUS from 'antd/es/locale/en_US'
import zhCN from 'antd/es/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useEffect, useState } from 'react'
import type { Language } from '../session/language.ts'

type Locale = NonNullable<ConfigProviderProps['locale']>

/** The product's own languages are there at once; others are loaded when one is chosen, and are English until then. */
const own: Record<Language, { antd: Locale; dates: string }> = {
  cn: { antd: zhCN, dates: 'zh-cn' },
  en: { antd: enUS, dates: 'en' },
}

/** The texts and the calendar of antd's controls in this language. */
export function useLocale(language: Language): Locale {
  const [loaded, setLoaded] = useState<{ language: Language; antd: Locale }>()
  useEffect(() => {
    if (Object.hasOwn(own, language)) {
      dayjs.locale(own[language].dates)
      return
    }
    let isLeft = false
    const load = async () => {
      const { loadLocale } = await import('./loadLocale.ts')
      const { antd = enUS, dates = 'en' } = await loadLocale(language)
      if (isLeft) return
      dayjs.locale(dates)
      setLoaded({ language, antd })
    }
    void load()
    return () => {
      isLeft = true
    }
  }, [language])
  if (Object.hasOwn(own, language)) return own[language].antd
  return loaded?.language === language ? loaded.antd : enUS
}
