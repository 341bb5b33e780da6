import type { Label } from '../../../../engine/model/model.ts'
import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import type { Family } from './family.ts'

/** What a changed household type has led to in a family. */
export interface HouseholdNews {
  person: number
  family: Family
  text: Label
}

/** One message for each person, to the roles that handle tickets. */
export async function notifyHousehold(work: ProcedureWork, news: readonly HouseholdNews[]): Promise<void> {
  if (news.length === 0) return
  const byPerson = groupedBy(news, ({ person }) => person)
  const people = await work.read('person', { where: { id: [...byPerson.keys()] } })
  await work.notifyAll(
    'person',
    people.map((record) => {
      const own = byPerson.get(record.id)!
      const notice = {
        type: 'householdChanged',
        title: { cn: '户口性质变更：{name}', en: 'Household type changed: {name}' },
        content: {
          cn: own.map(({ family, text }) => `${family.short}：${text.cn}`).join('；'),
          en: own.map(({ family, text }) => `${family.shortEn}: ${text.en}`).join('; '),
        },
        link: '/staff/persondetail?id={id}',
      }
      return { record, notices: [notice] }
    }),
  )
}
