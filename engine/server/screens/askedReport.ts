import type { Entity, FilterValue, GroupPlan, ReportPlan, ScreenPlan } from '../../model/model.ts'
import type { Context } from '../runtime.ts'

/** What a request means. `context` carries the day that the report is read as of. */
export interface Asked {
  context: Context
  screen: ScreenPlan<ReportPlan>
  plan: ReportPlan
  entity: Entity
  group: GroupPlan
  filters: Record<string, FilterValue>
}
