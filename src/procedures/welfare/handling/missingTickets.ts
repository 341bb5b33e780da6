import {
  type FieldName,
  valueIn,
  type ProcedureWork,
  type Refusal,
  type Stored,
} from '../../../../engine/server/procedure.ts'
import type { Label } from '../../../../engine/model/model.ts'
import { groupedBy } from '../groupedBy.ts'
import { plannedField, planNames, type Family } from './family.ts'

/** A ticket that a person should have but that could not be created. */
export interface Missing {
  person: Stored<'person'>
  family: Family
  reasons: readonly Label[]
  /** It is created once another ticket is handled. */
  waits?: true
}

const titles = {
  addition: { cn: '增员任务未生成：{name}', en: 'No addition was created for {name}' },
  reduction: { cn: '减员任务未生成：{name}', en: 'No reduction was created for {name}' },
  former: { cn: '前一段任职的增员已撤销：{name}', en: 'The addition of a former employment was cancelled: {name}' },
} satisfies Record<string, Label>

/** Notifies the handlers of tickets: one message for each person, with the reasons of every family. */
export async function notifyMissing(
  work: ProcedureWork,
  what: keyof typeof titles,
  missing: readonly Missing[],
): Promise<void> {
  const notices = [...groupedBy(missing, (each) => each.person)].map(([person, own]) => {
    const content = (language: 'cn' | 'en', between: readonly [string, string, string]) =>
      own
        .map(({ family, reasons, waits }) => {
          const line = family[language] + between[0] + texts(reasons, language).join(between[1])
          const lost = what === 'addition' && !waits ? unusedIn(work, person, family)?.[language] : undefined
          // Text in braces would be taken for a field.
          return line.replace(/[{}]/g, '') + (lost ?? '')
        })
        .join(between[2])
    const notice = {
      type: 'ticketMissing',
      title: titles[what],
      content: { cn: content('cn', ['：', '、', '；']), en: content('en', [': ', ', ', '; ']) },
      link: '/staff/persondetail?id={id}',
    }
    return { record: person, notices: [notice] }
  })
  await work.notifyAll('person', notices)
}

/** What was entered with the person for a ticket that there is not, and is forgotten, if anything. */
function unusedIn(work: ProcedureWork, person: Stored<'person'>, family: Family): Label | undefined {
  const names = planNames(family).map((name) => plannedField(family, name))
  const entered = [...names, ...family.personFields.entry.fields.map(({ name }) => name)].filter(
    (name): name is FieldName<'person'> => valueIn(person, name) !== null,
  )
  if (entered.length === 0) return undefined
  const entryTexts = (language: 'cn' | 'en', elsewhere: string) =>
    entered.map((name) => {
      const value = work.isSensitive('person', name) ? elsewhere : `{${name}}`
      return `${work.labelOf('person', name)[language]} ${value}`
    })
  return {
    cn: `（未采用的填写内容：${entryTexts('cn', '见变更历史或导入明细').join('、')}）`,
    en: ` (entered, but not used: ${entryTexts('en', 'in the history or the import').join(', ')})`,
  }
}

/** Notifies the handlers that a ticket could not be finished at once, and why. */
export async function notifyUnfinished(
  work: ProcedureWork,
  { short, shortEn }: Family,
  person: Stored<'person'>,
  { problems = [], text }: Refusal,
): Promise<void> {
  const reasons = problems.length > 0 ? problems.map(({ message }) => message) : [text]
  const content = (language: 'cn' | 'en', between: string) =>
    texts(reasons, language).join(between).replace(/[{}]/g, '')
  const notice = {
    type: 'ticketIncomplete',
    title: {
      cn: `${short}任务未能自动办结：{name}`,
      en: `${shortEn} ticket could not be completed automatically: {name}`,
    },
    content: { cn: content('cn', '、'), en: content('en', ', ') },
    link: '/staff/persondetail?id={id}',
  }
  await work.notifyAll('person', [{ record: person, notices: [notice] }])
}

const texts = (reasons: readonly Label[], language: string): string[] => [
  ...new Set(reasons.map((reason) => reason[language])),
]
