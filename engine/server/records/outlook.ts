import { decimalOf } from '../../expression/index.ts'
import { comma, inEvery, joinedBy } from '../../model/language.ts'
import type { CallResult, Entity, Field, Label, Outlook, RecordData, Value } from '../../model/model.ts'
import { fill } from '../errors.ts'
import { seesWhole } from '../identity/access.ts'
import type { Context } from '../runtime.ts'
import { amountsOf, factsOf, type Kind, type Made, type MadeByWork, mostNamed, type Tally, tallyOf } from './madeBy.ts'
import { textOf } from './reading/words.ts'
import type { Work } from './Work.ts'

/** A call that was carried out only to see what comes of it: how many of its steps, and with what result. */
export interface Trial {
  result: CallResult
  tried: number
  total: number
}

const kinds: Record<Kind, Label> = {
  made: { cn: '新增{label}', en: '{label}: new' },
  changed: { cn: '变更{label}', en: '{label}: changed' },
  deleted: { cn: '删除{label}', en: '{label}: deleted' },
}
const texts = {
  basis: { cn: '试算范围', en: 'Previewed' },
  part: { cn: '前{n}项，共{m}项', en: 'the first {n} of {m}' },
  different: { cn: '{label}{n}个', en: '{label}: {n}' },
  amount: { cn: '{kind}：{label}', en: '{kind}, {label}' },
  count: { cn: '{n}', en: '{n}' },
  among: { cn: '{n}（{list}）', en: '{n} ({list})' },
  more: { cn: '{was} → {is}（+{change}）', en: '{was} → {is} (+{change})' },
  less: { cn: '{was} → {is}（{change}）', en: '{was} → {is} ({change})' },
  same: { cn: '{is}（不变）', en: '{is} (unchanged)' },
  messages: { cn: '发送站内消息', en: 'Messages sent' },
  failed: { cn: '未能办理', en: 'Not done' },
  nothing: { cn: '没有需要办理的数据', en: 'Nothing would change' },
  nothingYet: { cn: '已试算部分没有变更', en: 'The previewed part would change nothing' },
  unseen: { cn: '有变更，但您无权查看', en: 'Only data that you may not see would change' },
} satisfies Record<string, Label>

/** What describes a trial, and the records that it names. */
interface Described {
  outlook: Outlook
  named: { entity: Entity; records: readonly RecordData[] }[]
}

/** Describes a trial; the work is again as it was before it. */
export async function outlookOf(work: Work, { result, tried, total }: Trial, made: MadeByWork): Promise<Described> {
  const outlooks: (Outlook & { named: RecordData[] })[] = []
  for (const each of made.all) outlooks.push(await outlookOfEntity(work, each))
  const { context } = work
  const failed = (result.failed ?? []).map(({ id, name = String(id), message }) => ({
    name,
    about: inEvery(context.derived.catalog.app.languages, () => message),
  }))
  const found = [
    ...outlooks.flatMap((each) => each.facts),
    ...(made.messages > 0 ? [{ label: texts.messages, value: fill(texts.count, { n: made.messages }) }] : []),
    ...(failed.length > 0 ? [{ label: texts.failed, value: fill(texts.count, { n: failed.length }) }] : []),
  ]
  const part = tried < total ? [{ label: texts.basis, value: fill(texts.part, { n: tried, m: total }) }] : []
  const outlook = {
    facts: [...part, ...found],
    lists: [
      ...outlooks.flatMap((each) => each.lists),
      { label: texts.failed, items: failed.slice(0, mostNamed), more: Math.max(0, failed.length - mostNamed) },
    ],
    ...(tried < total && { partial: true as const }),
    ...(found.length === 0 && { note: noteOf({ result, tried, total }, made) }),
  }
  return { outlook, named: made.all.map(({ entity }, index) => ({ entity, records: outlooks[index].named })) }
}

/** Why there is nothing to report. A call's own message is about what it did, so it is shown only if it did nothing. */
function noteOf({ result, tried, total }: Trial, { all, isUnseen }: MadeByWork): Label {
  if (isUnseen || all.some(({ ids }) => Object.values(ids).flat().length > 0)) return texts.unseen
  if (tried < total) return texts.nothingYet
  return (result.succeeded === 0 ? result.summary : undefined) ?? texts.nothing
}

async function outlookOfEntity(work: Work, { entity, ids, after }: Made): Promise<Outlook & { named: RecordData[] }> {
  const before = {
    changed: await tallyOf(work, entity, ids.changed),
    deleted: await tallyOf(work, entity, ids.deleted),
  }
  const shown: [Kind, Tally | undefined, Tally | undefined][] = [
    ['made', undefined, after.made],
    ['changed', before.changed, after.changed],
    ['deleted', before.deleted, undefined],
  ]
  const outlooks = shown.map(([kind, was, is]) => outlookOfKind(work.context, entity, kind, { was, is }))
  return {
    facts: outlooks.flatMap(({ facts }) => facts),
    lists: outlooks.flatMap(({ lists }) => lists),
    named: shown.flatMap(([, was, is]) => (is ?? was)?.first ?? []).map((record) => shownOf(entity, record)),
  }
}

function outlookOfKind(
  context: Context,
  entity: Entity,
  kind: Kind,
  { was, is }: { was: Tally | undefined; is: Tally | undefined },
): Outlook {
  const tally = is ?? was
  if (!tally) return { facts: [], lists: [] }
  const label = fill(kinds[kind], { label: entity.label })
  const among = tally.different.filter(([, n]) => n > 1)
  const list = among.map(([field, n]) => fill(texts.different, { label: field.label, n }))
  const value = fill(list.length > 0 ? texts.among : texts.count, { n: tally.count, list: joinedBy(comma, list) })
  // Sums of different records cannot be compared.
  const isSame = !was || !is || was.count === is.count
  const sums = (isSame ? amountsOf(context, entity) : []).map((field) => ({
    label: fill(texts.amount, { kind: label, label: field.label }),
    value: changeText(context, field, was?.sums[field.name], is?.sums[field.name]),
  }))
  const items = tally.first.map((record) => itemOf(context, entity, kind, record))
  return { facts: [{ label, value }, ...sums], lists: [{ label, items, more: tally.count - items.length }] }
}

/** What an item shows of a record, which was read with what its values are computed from. */
const shownOf = (entity: Entity, record: RecordData): RecordData => ({
  id: record.id,
  ...Object.fromEntries(factsOf(entity).map(({ name }) => [name, record[name]])),
})

/** A new record's number is not known yet. */
function itemOf(
  context: Context,
  entity: Entity,
  kind: Kind,
  record: RecordData,
): Outlook['lists'][number]['items'][number] {
  const facts = factsOf(entity).filter(
    (field) => kind !== 'made' || field.computed || !context.derived.widget(field).series,
  )
  const shownText = (field: Field, language: string) => {
    const value = record[field.name]
    return typeof value === 'string' && !seesWhole(context, entity, field)
      ? value
      : textOf(context, field, value, language)
  }
  const [name, ...others] = facts
  const about = others.filter((field) => seesWhole(context, entity, field))
  return {
    name: name ? shownText(name, context.language) : '',
    about: inEvery(context.derived.catalog.app.languages, (language) =>
      about
        .map((field) => shownText(field, language))
        .filter(Boolean)
        .join(' '),
    ),
  }
}

/** A sum, or the one before and the one after with their difference, if there is one. */
function changeText(context: Context, field: Field, was: Value | undefined, is: Value | undefined): Label {
  const valueText = (value: Value | undefined) =>
    inEvery(context.derived.catalog.app.languages, (language) => textOf(context, field, value, language))
  const [from, to] = [decimalOf(was ?? null), decimalOf(is ?? null)]
  if (!from || !to) return valueText(is ?? was)
  const difference = to.minus(from)
  if (difference.isZero()) return fill(texts.same, { is: valueText(is) })
  const change = valueText(context.derived.widget(field).normalize(difference.toFixed(), field.options))
  return fill(difference.isNegative() ? texts.less : texts.more, { was: valueText(was), is: valueText(is), change })
}
