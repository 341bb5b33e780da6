import type { Entity, Label } from '../../model/model.ts'

const labels: Record<string, Label> = {
  create: { cn: '新增', en: 'Add' },
  edit: { cn: '修改', en: 'Edit' },
  update: { cn: '修改', en: 'Edit' },
  delete: { cn: '删除', en: 'Delete' },
}

/** The label of a step on a record: created, edited, deleted, a transition or an action. */
export const stepLabel = ({ states, actions }: Entity, step: string): Label =>
  labels[step] ??
  actions[step]?.label ??
  states.map(({ transitions }) => transitions[step]?.label).find((label) => label !== undefined)!
