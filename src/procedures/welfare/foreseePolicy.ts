import type { Decimal } from '../../../engine/expression/index.ts'
import type { Label, Outlook } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, type Stored, textIn } from '../../../engine/server/procedure.ts'
import { changeText, countText, outlookList } from '../money/outlook.ts'
import { decimal, total } from '../money/amounts.ts'
import { groupedBy } from './groupedBy.ts'
import { openStates } from './handling/enrolments.ts'
import {
  additionOf,
  adjustmentOf,
  enrolmentOf,
  type Family,
  familiesOf,
  reductionOf,
  type Enrolment,
} from './handling/family.ts'

interface Ticket {
  revision: number
  ticketNo: string
  kind: Label
  enrolment: number | null
  record: object
  /** The user may view tickets of its type. */
  isViewed: boolean
}
interface Standing {
  enrolments: ReadonlyMap<number, Enrolment>
  /** By entity and id. */
  tickets: ReadonlyMap<string, Ticket>
}
interface Share {
  people: (number | null)[]
  /** What companies and people pay a month, before and as an increase. */
  was: Record<Side, Decimal>
  more: Record<Side, Decimal>
  made: number
  moved: number
  changed: Ticket[]
}
const sides = ['company', 'personal'] as const
type Side = (typeof sides)[number]

/**
 * Foresees putting a policy in force: how many people, the monthly change, and which open tickets, of those within the
 * user's scope. Tickets of a type that the user may not view are only counted.
 */
export const foreseePolicy = procedure<'policy'>(async (work, { records, act }) => {
  const families = familiesOf(work).filter((family) => records.some(({ kind }) => kind === family.policyKind))
  const before = await standings(work, families, records)
  await act()
  const after = await standings(work, families, records)
  const shares = families.map((_, index) => shareOf(before[index], after[index]))
  const changed = shares.flatMap((share) => share.changed)
  const named = changed.filter(({ isViewed }) => isViewed)
  const tickets = outlookList(
    { cn: '变动的未办结任务', en: 'Open tickets that change' },
    named.map(({ ticketNo, kind }) => ({ name: ticketNo, about: kind })),
  )
  // Amounts of two currencies do not add up.
  const amounts = (label: Label, side: Side) =>
    [...groupedBy(families, ({ currency }) => currency)].map(([currency, own]) => {
      const ownShares = own.map((family) => shares[families.indexOf(family)])
      const was = total(ownShares.map((share) => share.was[side]))
      return { label, value: changeText(was, was.plus(total(ownShares.map((share) => share.more[side]))), currency) }
    })
  const count = (countOf: (share: Share) => number) => countText(shares.reduce((sum, share) => sum + countOf(share), 0))
  return {
    facts: [
      {
        label: { cn: '涉及人数', en: 'People' },
        value: countText(new Set(shares.flatMap(({ people }) => people)).size),
      },
      ...amounts({ cn: '单位每月', en: 'Company per month' }, 'company'),
      ...amounts({ cn: '个人每月', en: 'Employees per month' }, 'personal'),
      { label: { cn: '将生成政策调整任务', en: 'Adjustments to be created' }, value: count(({ made }) => made) },
      {
        label: { cn: '直接改按本政策的参保记录', en: 'Enrolments that change at once' },
        value: count(({ moved }) => moved),
      },
    ],
    lists: [{ ...tickets, more: tickets.more + changed.length - named.length }],
  } satisfies Outlook & Record<string, unknown>
})

function shareOf(before: Standing, after: Standing): Share {
  const made = [...after.tickets].flatMap(([key, ticket]) => (before.tickets.has(key) ? [] : [ticket]))
  const withTickets = made.flatMap(({ enrolment }) => before.enrolments.get(enrolment!) ?? [])
  const moved = [...before.enrolments].flatMap(([id, old]) => {
    const now = after.enrolments.get(id)
    return now && now.policy !== old.policy ? [{ old, now }] : []
  })
  const amountOf = (record: object, name: string) => decimal(textIn(record, name))
  const each = (act: (side: Side) => Decimal[]) =>
    Object.fromEntries(sides.map((side) => [side, total(act(side))])) as Record<Side, Decimal>
  const touched = [...moved.map(({ old }) => old), ...withTickets]
  return {
    people: touched.map(({ person }) => person),
    was: each((side) => touched.map((record) => amountOf(record, `${side}Total`))),
    more: each((side) => [
      ...moved.map(({ old, now }) => amountOf(now, `${side}Total`).minus(amountOf(old, `${side}Total`))),
      ...made.map(({ record }) => amountOf(record, `${side}Diff`)),
    ]),
    made: made.length,
    moved: moved.length,
    changed: [...before.tickets].flatMap(([key, { revision }]) => {
      const now = after.tickets.get(key)
      return now && now.revision !== revision ? [now] : []
    }),
  }
}

async function standings(
  work: ProcedureWork,
  families: readonly Family[],
  policies: readonly Stored<'policy'>[],
): Promise<Standing[]> {
  const found: Standing[] = []
  for (const family of families) found.push(await standingOf(work, family, policies))
  return found
}

async function standingOf(
  work: ProcedureWork,
  family: Family,
  policies: readonly Stored<'policy'>[],
): Promise<Standing> {
  const cities = policies.flatMap(({ city }) => city ?? [])
  const enrolments = await work.read(enrolmentOf(family), {
    where: { status: { not: 'stopped' }, ...(cities.length === policies.length && { city: cities }) },
    seen: true,
  })
  const where = { enrolment: enrolments.map(({ id }) => id), status: openStates }
  const tickets = new Map<string, Ticket>()
  const kinds = [
    [additionOf(family), { cn: `${family.cn}增员`, en: `${family.en}: addition` }],
    [reductionOf(family), { cn: `${family.cn}减员`, en: `${family.en}: reduction` }],
    ...(family.pages.fm === null
      ? []
      : ([[adjustmentOf(family), { cn: `${family.cn}调整`, en: `${family.en}: adjustment` }]] as const)),
  ] as const
  for (const [name, kind] of kinds) {
    const isViewed = work.mayView(name)
    for (const record of await work.read(name, { where, seen: true })) {
      const { id, revision, ticketNo, enrolment } = record
      tickets.set(`${name} ${id}`, { revision, ticketNo, enrolment, kind, record, isViewed })
    }
  }
  return { enrolments: new Map(enrolments.map((record) => [record.id, record])), tickets }
}
