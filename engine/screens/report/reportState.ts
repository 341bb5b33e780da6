import type { Scope } from '../../expression/index.ts'
import { requiredProblem } from '../../expression/worded.ts'
import { fillText } from '../../model/fillText.ts'
import { filterProblem } from '../../model/model.ts'
import { composed, languageIn } from '../../model/language.ts'
import type { FilterValue, Label, ReportFilter, ReportPlan, ReportTab } from '../../model/model.ts'
import type { ListPlan } from '../list/list.ts'
import { readState, withDefaults, writeState } from '../list/listState.ts'
import type { ListState } from '../list/listState.ts'

/** The reader's choices in a report. The address stores what differs from the plan. */
export interface ReportState {
  list: ListState
  group: string
  asOf: string
}

/**
 * The filters and figures of a tab in the form of a list's, so that both are handled alike. `tabs` are those that the
 * reader may see.
 */
export function listPlanOf(
  plan: ReportPlan,
  tabs: readonly ReportTab[],
  open: string | undefined,
  scope: Omit<Scope, 'record'>,
): ListPlan {
  const tab = tabs.find(({ name }) => name === open) ?? tabs[0]
  return {
    filters: withDefaults(plan.filters, scope),
    columns: (tab?.columns ?? []).map(({ measure, label, width, total, sort }) => ({
      field: measure,
      label,
      width,
      sum: total,
      sort,
      hidden: false,
    })),
    ...(tab?.sort !== undefined && { sort: tab.sort }),
    tabs: tabs.map(({ name, label }) => ({ name, label, filter: {} })),
    pageSize: 50,
    where: {},
    marks: [],
    actions: [],
    paths: { list: '' },
  }
}
/** `today` is the default effective day of a report. */
export function readReportState(
  state: Readonly<Record<string, string>>,
  plan: ReportPlan,
  list: ListPlan,
  today: string,
): ReportState {
  const group = plan.groups.find(({ name }) => name === state.group) ?? plan.groups[0]
  return {
    list: readState(state, list, true),
    group: group.name,
    asOf: plan.asOf && /^\d{4}-\d\d-\d\d$/.test(state.asOf ?? '') ? state.asOf : today,
  }
}

export function writeReportState(
  { list, group, asOf }: ReportState,
  plan: ReportPlan,
  as: ListPlan,
  today: string,
): Record<string, string> {
  return {
    ...writeState(list, as, true),
    ...(group !== plan.groups[0].name && { group }),
    ...(plan.asOf && asOf !== today && asOf !== '' && { asOf }),
  }
}

const messages = {
  range: { cn: '{label}最多{months}个月', en: '{label} may cover at most {months} {months|month|months}' },
}

/** Why nothing can be read yet, in every language. */
export function problemOf(filters: readonly ReportFilter[], values: Record<string, FilterValue>): Label | undefined {
  for (const filter of filters) {
    const problem = filterProblem(filter, values[filter.field])
    if (!problem) continue
    if (problem === 'required') return requiredProblem({ prompt: 'select' }, filter.label).message
    return composed([messages[problem], filter.label], (read, language) =>
      fillText(
        read(messages[problem]),
        (name) => (name === 'label' ? read(filter.label) : String(filter.months)),
        languageIn(messages[problem], language),
      ),
    )
  }
  return undefined
}
