import type { App, Label, Value } from '../../model/model.ts'

type Languages = Pick<App, 'languages'>

/**
 * Administrators name menu entries and values of dictionaries in two fields: in English, and in this language, the
 * first other one of the product. Names in further languages are always those of the files.
 */
export const ownLanguage = ({ languages }: Languages): string => languages.find((language) => language !== 'en') ?? 'en'

export const administeredLabel = (app: Languages, own: Value | undefined, english: Value | undefined): Label =>
  Object.fromEntries([
    ['en', String(english)],
    [ownLanguage(app), String(own)],
  ])
