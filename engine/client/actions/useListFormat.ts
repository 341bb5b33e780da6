import { localeOf } from '../../model/language.ts'
import { useEngine } from '../view.ts'

/** Joins texts into a list, as the language writes one. */
export function useListFormat(): (texts: string[]) => string {
  const { language } = useEngine()
  return (texts) => new Intl.ListFormat(localeOf(language)).format(texts)
}
