import type { HelpSection, HelpText } from '../../model/model.ts'

const textOf = (text: HelpText): string => (typeof text === 'string' ? text : text.en)
/** A pipe would end the cell, and an angle bracket would start a tag. */
const cellOf = (text: HelpText): string =>
  textOf(text).replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
const rowOf = (cells: string[]): string => `| ${cells.join(' | ')} |`

/** Sections of the help as a Markdown page in English, without the columns in `left`. */
export function markdownOf(title: string, lead: string, sections: readonly HelpSection[], left: string[]): string {
  const parts = sections.map((section) => [
    `## ${textOf(section.title)}`,
    ...section.text.map((text) => cellOf(text)),
    ...section.tables
      .filter(({ rows }) => rows.length > 0)
      .map(({ columns, rows }) => {
        const kept = columns.flatMap((column, index) => (left.includes(column.en) ? [] : [index]))
        return [
          rowOf(kept.map((index) => columns[index].en)),
          `|${'---|'.repeat(kept.length)}`,
          ...rows.map((row) =>
            rowOf(kept.map((index) => (index === 0 ? `\`${textOf(row[index])}\`` : cellOf(row[index])))),
          ),
        ].join('\n')
      }),
  ])
  return [`# ${title}`, lead, ...parts.flat()].join('\n\n') + '\n'
}
