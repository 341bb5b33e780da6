import { isSame } from '../expression/normalizeRecord.ts'
import type { VerdictContext } from '../expression/VerdictContext.ts'
import { fillText } from '../model/fillText.ts'
import { composed } from '../model/language.ts'
import type { Field, Label, RecordData, Value } from '../model/model.ts'
import type { FormAround } from './formAnswers.ts'
import type { Judgement } from './formNodes.ts'

const taken: Label = { cn: '{label}“{text}”已存在', en: '{label} "{text}" already exists' }

/** Whether other records have the values of a form's unique fields, each value asked about once. */
export class FormUnique {
  private readonly free = new Map<string, Promise<boolean>>()

  constructor(
    private readonly form: { context: VerdictContext; values(): RecordData },
    private readonly around: Pick<FormAround, 'isFree'>,
  ) {}

  async judge(field: Field): Promise<Judgement> {
    const { name } = field
    const { context, values } = this.form
    const { widgets, old } = context
    const value: Value = widgets[field.type].normalize(values()[name] ?? null, field.options)
    if (value === null || isSame(field, value, old?.[name], widgets)) return []
    const key = `${name}:${JSON.stringify(value)}`
    if (!this.free.has(key)) {
      // No answer means not known: the save will report it.
      this.free.set(
        key,
        (this.around.isFree?.(field, value) ?? Promise.resolve(true)).catch(() => {
          this.free.delete(key)
          return true
        }),
      )
    }
    const isFree = await this.free.get(key)
    return isFree || !isSame(field, value, values()[name], widgets)
      ? []
      : [{ field: name, code: 'unique', message: this.taken(field, value) }]
  }

  private taken({ label, type, options }: Field, value: Value): Label {
    const { widgets, dictionary, now } = this.form.context
    return composed([taken, label], (read, language) => {
      const text = widgets[type].text(value, options, { label, dictionary, now }, language)
      return fillText(read(taken), (name) => (name === 'text' ? text : read(label)))
    })
  }
}
