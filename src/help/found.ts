import { textIn as labelIn } from '../../engine/model/language.ts'
import type { HelpSection, HelpText } from '../../engine/model/model.ts'

export const textIn = (text: HelpText, language: string): string =>
  typeof text === 'string' ? text : labelIn(text, language)

/**
 * Sections that contain every word, in that language or as a key; if the title does not match, only rows with one of
 * the words.
 */
export function sectionsWith(
  sections: readonly HelpSection[],
  wanted: string,
  language: string,
): readonly HelpSection[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return sections
  const holds = (text: string, word: string) => text.toLowerCase().includes(word)
  return sections.flatMap((section) => {
    const prose = section.html?.replace(/<[^>]*>/g, ' ') ?? ''
    const head = [section.title, ...section.text, prose].map((text) => textIn(text, language)).join(' ')
    const rows = section.tables.flatMap((table) =>
      table.rows.map((row) => row.map((cell) => textIn(cell, language)).join(' ')),
    )
    const whole = [head, ...rows].join('\n')
    if (!words.every((word) => holds(whole, word))) return []
    if (words.every((word) => holds(head, word))) return [section]
    const tables = section.tables.map((table) => ({
      ...table,
      rows: table.rows.filter((row) => words.some((word) => row.some((cell) => holds(textIn(cell, language), word)))),
    }))
    return [{ ...section, tables: tables.filter((table) => table.rows.length > 0) }]
  })
}
