import type { ConfigProviderProps } from 'antd'
import type dayjs from 'dayjs'
import { localeOf } from '../../engine/model/language.ts'
import type { Language } from '../session/language.ts'

interface Module<T> {
  default: T
}
type Load<T> = Record<string, () => Promise<Module<T>>>
type Controls = NonNullable<ConfigProviderProps['locale']>
type Dates = Parameters<typeof dayjs.locale>[0] & object

const antd = import.meta.glob<Module<Controls>>([
  '/node_modules/antd/es/locale/*_*.js',
  '!/node_modules/antd/es/locale/{en_US,zh_CN}.js',
])
const dates = import.meta.glob<Module<Dates>>('/node_modules/dayjs/esm/locale/*.js')

/** The names that a library may have for a language, best first: de_AT, de_DE, and then any of that language. */
function namesOf(language: Language, known: readonly string[], separator: string): string[] {
  const locale = new Intl.Locale(localeOf(language))
  const likely = locale.maximize()
  const named = [
    [locale.language, locale.region].filter(Boolean).join(separator),
    [locale.language, likely.region].join(separator),
    locale.language,
  ]
  const beside = known.filter((name) => name.startsWith(`${locale.language}${separator}`))
  return [...named, ...beside].map((name) => known.find((each) => each.toLowerCase() === name.toLowerCase()) ?? '')
}

async function loadFrom<T>(files: Load<T>, language: Language, separator: string): Promise<T | undefined> {
  const byName = new Map(Object.keys(files).map((path) => [path.replace(/^.*\/|\.js$/g, ''), files[path]]))
  const name = namesOf(language, [...byName.keys()], separator).find((each) => each !== '')
  return name === undefined ? undefined : (await byName.get(name)!()).default
}

/** What antd and dayjs have for a language; undefined where they have nothing. */
export async function loadLocale(language: Language) {
  const [controls, calendar] = await Promise.all([loadFrom(antd, language, '_'), loadFrom(dates, language, '-')])
  return { antd: controls, dates: calendar }
}
