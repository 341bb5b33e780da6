import type { FastifyReply } from 'fastify'
import { textIn } from '../../model/language.ts'
import type { Field, GroupedRow, ReportTab, Value } from '../../model/model.ts'
import type { CellValue } from '../sheets/sheetRow.ts'
import { writeRecords } from '../sheets/writeRecords.ts'
import { chosenBy, logOperation } from '../records/logOperation.ts'
import { cellOf } from '../records/reading/cells.ts'
import { disposition } from '../files/disposition.ts'
import type { ReportRequest } from './reportRequest.ts'

const total = { cn: '合计', en: 'Total' }

/** A tab of a report as a spreadsheet: the groups of its rows, their figures, and the totals at the end. */
export async function exportReport(
  { context, screen, entity, group, filters }: ReportRequest,
  tab: ReportTab,
  { list, totals }: { list: GroupedRow[]; totals: GroupedRow['values'] },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { language, derived } = context
  const measures = tab.columns.map((column) => ({
    ...column,
    field: screen.body.measures.find(({ name }) => name === column.measure)!.field,
  }))
  const column = (label: string, field: Field) => {
    const { sheet, width } = derived.widget(field)
    const format = sheet?.format?.(field.options)
    return { header: label, width: Math.round(width(field.options) / 7), ...(format && { format }) }
  }
  const keys = group.by.map(({ shown }) => ({ shown, write: cellOf(context, shown) }))
  const numbers = measures.map(({ measure, field }) => ({ measure, write: cellOf(context, field) }))
  const cells = (
    by: readonly CellValue[],
    values: Record<string, Value>,
    shows: (index: number) => boolean,
  ): CellValue[] => [
    ...by,
    ...numbers.map(({ measure, write }, index) => (shows(index) ? write(values[measure] ?? null) : null)),
  ]
  const rows = async function* () {
    yield list.map(({ by, values }) =>
      cells(
        keys.map(({ write }, index) => write(by[index])),
        values,
        () => true,
      ),
    )
    yield [
      cells(
        keys.map((_, index) => (index === 0 ? textIn(total, language) : null)),
        totals,
        (index) => tab.columns[index].total,
      ),
    ]
  }
  // Although read as of another day, it is logged with the current time.
  const logContext = { ...context, now: context.runtime.clock.now() }
  await logOperation(logContext, entity, 'export', { rows: list.length, ...chosenBy(entity, { filters }) })
  const title = `${textIn(screen.title, language)}_${textIn(tab.label, language)}`
  return reply
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header(
      'content-disposition',
      disposition('attachment', `${title}_${context.runtime.clock.now().slice(0, 16).replace(/\D/g, '')}.xlsx`),
    )
    .send(
      writeRecords({
        title,
        batches: rows(),
        columns: [
          ...group.by.map(({ field, shown }) =>
            column(textIn(shown.label ?? entity.fields[field].label, language), shown),
          ),
          ...measures.map(({ label, field }) => column(textIn(label, language), field)),
        ],
      }),
    )
}
