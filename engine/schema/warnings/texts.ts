import { namesIn } from '../../model/fillText.ts'
import { below } from '../../model/pointer.ts'
import { isObject, placesOf, type JsonObject } from '../walk.ts'
import { isWritten, type CheckContext, type Whole } from './checkContext.ts'
import type { SourceFile } from '../reading/SourceFile.ts'
import type { ExpandedFile, NamedEntity } from '../named.ts'

/** Chinese characters, the only script that shows a text to be under the wrong language. */
const han = /\p{Script=Han}/u
const letters = /\p{Letter}{2}/u

/**
 * Warns about texts under each other's language; which language uses which script is decided by the majority of all files.
 */
export function checkLanguages(whole: Pick<Whole, 'files' | 'families' | 'names' | 'warn'>): void {
  const { files, names, warn } = whole
  const languages = names.app?.languages ?? []
  const labels = files.flatMap((file) =>
    placesOf(file.value, file.shape)
      .filter(({ shape, value }) => shape.names === 'label' && isObject(value))
      .map((place) => ({ file, pointer: place.pointer, texts: place.value as JsonObject })),
  )
  const isHan = (language: string) =>
    labels.filter(({ texts }) => han.test(String(texts[language]))).length * 2 > labels.length
  const chinese = languages.filter(isHan)
  const others = languages.filter((language) => !isHan(language))
  for (const { file, pointer, texts } of labels) {
    const reads = (language: string) => han.test(String(texts[language]))
    const language = chinese.find((each) => letters.test(String(texts[each])) && !reads(each))
    const other = others.find(reads)
    if (language !== undefined && other !== undefined && isWritten(file.source, below(pointer, language)))
      warn(file.source, below(pointer, language), 'swapped-languages', { language, other })
    else if (other !== undefined && isWritten(file.source, below(pointer, other)))
      warn(file.source, below(pointer, other), 'untranslated', { language: other })
    else if (language !== undefined && isWritten(file.source, below(pointer, language))) {
      const text = String(texts[language])
      const isCopied = others.some((each) => texts[each] === text)
      if (isCopied && /^\p{Lu}?\p{Ll}{2,}/u.test(text))
        warn(file.source, below(pointer, language), 'untranslated', { language })
    }
  }
  checkFamilyTexts(others, whole)
}

/** Warns about texts of a family whose key names another language than the one they are in: `"addEn": "增员"`. */
function checkFamilyTexts(others: readonly string[], { families, warn }: Pick<Whole, 'families' | 'warn'>): void {
  const go = (source: SourceFile, value: unknown, pointer: string): void => {
    for (const [key, item] of Object.entries(isObject(value) || Array.isArray(value) ? value : {})) {
      const at = below(pointer, key)
      const language = others.find((other) => key === other || key.endsWith(capital(other)))
      if (typeof item !== 'string') go(source, item, at)
      else if (language !== undefined && han.test(item)) warn(source, at, 'untranslated', { language })
    }
  }
  for (const { source } of families) go(source, isObject(source.data) ? source.data.parameters : {}, '/parameters')
}

/** Records names with their texts, and finds an earlier one with the same text in a language. */
export function twins(): (name: string, label: unknown) => string | undefined {
  const seen = new Map<string, string>()
  return (name, label) => {
    const texts = Object.entries(isObject(label) ? label : {}).map((pair) => JSON.stringify(pair))
    const other = texts.map((text) => seen.get(text)).find((each) => each !== undefined)
    for (const text of texts) seen.set(text, name)
    return other
  }
}

/** Warns about fields of an entity with the same labels. */
export function checkSameLabels({ fields, source, name }: NamedEntity, { warn }: CheckContext): void {
  const otherOf = twins()
  for (const field of Object.values(fields)) {
    const other = otherOf(field.name, field.value.label)
    if (other !== undefined)
      warn(source, `${below('/fields', field.name)}/label`, 'same-label', { entity: name, found: field.name, other })
  }
}

/** Warns about choices with the same label, and about texts whose placeholders differ by language. */
export function checkTexts(file: ExpandedFile, { warn }: CheckContext): void {
  const { source, value } = file
  if (source.kind === 'dictionary' && Array.isArray(value.choices)) {
    const otherOf = twins()
    for (const [index, choice] of value.choices.entries()) {
      if (!isObject(choice)) continue
      const other = otherOf(String(choice.value), choice.label)
      if (other !== undefined)
        warn(source, `/choices/${index}/label`, 'same-choice-label', { found: String(choice.value), other })
    }
  }
  for (const { shape, value: label, pointer } of placesOf(value, file.shape)) {
    if (shape.names !== 'label' || !isObject(label) || !(shape.fills || shape.holes)) continue
    const holes = Object.entries(label).map(
      ([language, text]) =>
        [
          language,
          new Map(namesIn(String(text)).map((name) => [withoutLanguage(name, language), `{${name}}`] as const)),
        ] as const,
    )
    for (const [language, filled] of holes) {
      for (const [other, too] of holes) {
        const found = [...filled].find(([hole]) => !too.has(hole))?.[1]
        if (found !== undefined) warn(source, below(pointer, other), 'uneven-placeholders', { found, language, other })
      }
    }
  }
}

/** Fields for each language are filled in from the text's own language: `{missingCn}`, `{missingEn}`. */
const withoutLanguage = (name: string, language: string): string => {
  const own = capital(language)
  return name.endsWith(own) ? name.slice(0, -own.length) : name
}

const capital = (language: string) => `${language[0].toUpperCase()}${language.slice(1)}`
