import { clauseComma, joinedBy } from '../../model/language.ts'
import type { ImportPlan, Label } from '../../model/model.ts'
import { fill, Refusal } from '../errors.ts'
import { matchHeader } from '../sheets/matchHeader.ts'
import type { SheetColumn } from '../sheets/sheetColumn.ts'
import type { CellValue } from '../sheets/readSheet.ts'
import { readMarker } from './importSheet.ts'

export interface Header {
  fields: (string | null)[]
  notes: { message: Label }[]
  corrects?: number
}

/**
 * Maps the columns of the file to fields. A file from an older template is accepted if it has the columns that every
 * row needs; added and missing ones are noted individually.
 * @throws Refusal importTemplate, naming the columns.
 */
export function readHeader(
  plan: ImportPlan,
  columns: readonly SheetColumn[],
  cells: readonly CellValue[],
  marker: string | null,
): Header {
  const { keys, missing, unknown, doubled } = matchHeader(cells, columns)
  const { foreign, outdated, corrects } = readMarker(marker, plan)
  const label = (key: string): Label => columns.find((column) => column.key === key)!.label
  const needed = missing.filter((key) => columns.find((column) => column.key === key)!.required)
  const columnProblems = [
    ...needed.map((key) => columnText({ cn: '缺少列“{name}”', en: 'column "{name}" is missing' }, label(key))),
    ...doubled.map((key) => columnText({ cn: '列“{name}”重复', en: 'column "{name}" appears twice' }, label(key))),
  ]
  const others = unknown.map(({ column, text }) =>
    columnText(
      { cn: '{column}列“{name}”不在模板中', en: 'column {column} "{name}" is not in the template' },
      header(text),
      column,
    ),
  )
  if (foreign || columnProblems.length > 0 || keys.every((key) => key === null)) {
    const all = [...columnProblems, ...others]
    throw new Refusal('importTemplate', {
      parameters: {
        columns: joinedBy(
          clauseComma,
          all.length > 0 ? all : [{ cn: '不是本页面的模板', en: 'it is the template of another import' }],
        ),
      },
    })
  }
  const optional = missing.filter((key) => !needed.includes(key))
  const notes = [
    ...others.map((other) => joinedBy(clauseComma, [other, { cn: '已忽略', en: 'ignored' }])),
    ...optional.map((key) =>
      columnText(
        outdated
          ? {
              cn: '新模板增加了列“{name}”，文件中没有，按空处理',
              en: 'column "{name}" is new in the template; it counts as empty',
            }
          : { cn: '文件中没有列“{name}”，按空处理', en: 'column "{name}" is missing; it counts as empty' },
        label(key),
      ),
    ),
  ]
  return { fields: keys, notes: notes.map((message) => ({ message })), ...(corrects !== undefined && { corrects }) }
}

/** In a file without headers the first record takes their place, so numbers in it are masked. */
const header = (text: string) => text.replace(/(?<=[\dX]{2})[\dX](?=[\dX]{3})/gi, '*')

const columnText = (text: Label, name: Label | string, column = ''): Label => fill(text, { name, column })
