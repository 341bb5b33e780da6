import { nearestName } from '../../expression/index.ts'
import type { AssembleScope, GroupPlan, MeasurePlan, ReportChart } from '../../model/model.ts'
import { assembleChart } from '../charts.ts'
import type { ReportFile } from './reportShape.ts'

export interface Parts {
  measures: MeasurePlan[]
  groups: GroupPlan[]
  tabs: ReportFile['tabs']
}

export function assembleReportChart(
  file: ReportFile['charts'][number],
  { measures, groups, tabs }: Parts,
  pointer: string,
  scope: AssembleScope,
): ReportChart {
  const { name, label, permission, group, tab } = file
  const known = (found: string, allowed: string[]) => ({ found, allowed, suggestion: nearestName(found, allowed) })
  const [groupNames, tabNames] = [groups, tabs].map((named) => named.map((each) => each.name))
  if (group !== undefined && !groupNames.includes(group))
    scope.issue('unknown-group', `${pointer}/group`, known(group, groupNames))
  if (tab !== undefined && !tabNames.includes(tab))
    scope.issue('not-allowed-value', `${pointer}/tab`, known(tab, tabNames))
  return {
    name,
    label,
    ...assembleChart(file, measures, pointer, scope),
    ...(permission !== undefined && { permission: scope.permission(permission) }),
    ...(group !== undefined && { group }),
    ...(tab !== undefined && { tab }),
  }
}
