import { useEngine } from '../view.ts'

/** Texts one after another, as the language writes them. */
export function useListing(): (texts: string[]) => string {
  const { language } = useEngine()
  return (texts) => new Intl.ListFormat(language === 'cn' ? 'zh-CN' : 'en').format(texts)
}
