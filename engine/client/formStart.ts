import { holds, inputs } from '../expression/conditions.ts'
import type { VerdictContext } from '../expression/VerdictContext.ts'
import { isReadOnly, isRequired, isVisible, isWritable } from '../expression/verdict.ts'
import type { EntityPlan, Field, RecordData } from '../model/model.ts'
import type { FormNodes, Judgement, NodeStart } from './formNodes.ts'
import type { FormSource, PlacedField } from './formPlan.ts'

interface StartingForm {
  source: FormSource
  entity: EntityPlan
  context: VerdictContext
  nodes: FormNodes
  values(): RecordData
  /** Whether a field is validated on leaving rather than on every change. */
  isEntered(field: Field): boolean
  judge(field: Field): Judgement | Promise<Judgement>
  /** Applies `defaultFrom`. */
  fill(field: Field, formula: string): void
}

/** How a field begins, and which of its conditions and formulas watch which fields. */
export function nodeStart(form: StartingForm, field: Field, laid: PlacedField): NodeStart {
  const { entity, context, source, nodes, values } = form
  const { name, visibleWhen, requiredWhen, readOnlyWhen, defaultFrom } = field
  const sectionWhen = source.sections[laid.section].visibleWhen
  const isWritten = isWritable(field, context.widgets)
  const locked = source.mode === 'read' || laid.readOnly === true || !isWritten
  const start: NodeStart = {
    // A value that the server generates has nothing to show yet.
    visible: isWritten || source.mode !== 'create' || (nodes.plain[name] ?? null) !== null,
    required: !locked && isRequired(entity, field, values(), context),
    locked,
    reactions: [],
  }
  const watch = (expressions: (string | undefined)[], run: () => void) => {
    const read = expressions.flatMap((expression) => (expression === undefined ? [] : inputs(expression, entity)))
    start.reactions.push({ inputs: [...new Set(read)], run })
  }
  if (start.visible && (visibleWhen ?? sectionWhen) !== undefined) {
    watch([visibleWhen, sectionWhen], () =>
      nodes.setVisible(
        name,
        isVisible(entity, field, values(), context) && holds(sectionWhen, true, entity, values(), context),
      ),
    )
  }
  if (locked) return start
  start.judge = { on: form.isEntered(field) ? 'leave' : 'change', run: () => form.judge(field) }
  if (requiredWhen !== undefined)
    watch([requiredWhen], () => nodes.setRequired(name, isRequired(entity, field, values(), context)))
  if (readOnlyWhen !== undefined)
    watch([readOnlyWhen], () => nodes.setLocked(name, isReadOnly(entity, field, values(), context)))
  if (defaultFrom !== undefined) {
    let isAsRead = source.mode === 'edit'
    watch([defaultFrom], () => {
      if (!isAsRead) form.fill(field, defaultFrom)
      isAsRead = false
    })
  }
  return start
}
