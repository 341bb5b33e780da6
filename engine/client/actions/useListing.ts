import { useEngine } from '../view.ts'

/** Joins texts into a list, as the language writes one. */
export function useListing(): (texts: string[]) => string {
  const { language } = useEngine()
  return (texts) => new Intl.ListFormat(language === 'cn' ? 'zh-CN' : 'en').format(texts)
}
