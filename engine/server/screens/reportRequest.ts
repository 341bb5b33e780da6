import type { Entity, FilterValue, GroupPlan, ReportPlan, ScreenPlan } from '../../model/model.ts'
import type { Context } from '../runtime.ts'

/** A parsed report request. `context` has the report's effective day. */
export interface ReportRequest {
  context: Context
  screen: ScreenPlan<ReportPlan>
  plan: ReportPlan
  entity: Entity
  group: GroupPlan
  filters: Record<string, FilterValue>
}
