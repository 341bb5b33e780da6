import { nearestName } from '../../expression/index.ts'
import type { AssembleScope, ReportAction, ReportTab } from '../../model/model.ts'
import { assembleActions } from '../action.ts'
import { checkMeasures } from '../charts.ts'
import type { ReportFile } from './reportShape.ts'
import type { Parts } from './reportCharts.ts'

export function assembleTab(
  tab: ReportFile['tabs'][number],
  { measures, groups }: Omit<Parts, 'tabs'>,
  pointer: string,
  scope: AssembleScope,
): ReportTab {
  const { name, label, permission, columns, sort } = tab
  checkMeasures(
    columns.map(({ measure }) => measure),
    measures,
    (index) => `${pointer}/columns/${index}`,
    scope,
  )
  if (sort !== undefined) checkMeasures([sort.replace(/^-/, '')], measures, () => `${pointer}/sort`, scope)
  return {
    name,
    label,
    ...(permission !== undefined && { permission: scope.permission(permission) }),
    ...(sort !== undefined && { sort }),
    columns: columns.flatMap((column) => {
      const field = measures.find((measure) => measure.name === column.measure)?.field
      return field
        ? [
            {
              ...column,
              label: column.label ?? field.label,
              width: column.width ?? scope.widgets[field.type].width(field.options),
            },
          ]
        : []
    }),
    ...(tab.actions.length > 0 && {
      actions: assembleTabActions(tab, { measures, groups }, `${pointer}/actions`, scope),
    }),
  }
}

/** The actions of a tab, offered as a list offers them for ticked records. */
function assembleTabActions(
  { columns, actions }: ReportFile['tabs'][number],
  { measures, groups }: Omit<Parts, 'tabs'>,
  pointer: string,
  scope: AssembleScope,
): ReportAction[] {
  const shown = measures.filter(
    ({ name, value }) => !['formula', 'change'].includes(value.kind) && columns.some(({ measure }) => measure === name),
  )
  checkMeasures(
    actions.map(({ measure }) => measure),
    shown,
    (index) => `${pointer}/${index}/measure`,
    scope,
  )
  const groupNames = groups.map(({ name }) => name)
  return actions.flatMap(({ action, measure, groups: only, label, confirm }, index): ReportAction[] => {
    only?.forEach((found, at) => {
      if (!groupNames.includes(found))
        scope.issue('unknown-group', `${pointer}/${index}/groups/${at}`, {
          found,
          allowed: groupNames,
          suggestion: nearestName(found, groupNames),
        })
    })
    const [plan] = assembleActions([{ action, on: 'batch', ...(label && { label }), ...(confirm && { confirm }) }], {
      scope,
      pointer,
      on: 'batch',
    })
    return plan ? [{ measure, ...(only && { groups: only }), plan }] : []
  })
}
