/**
 * Generated from the catalog: every action of every entity is done once, and its effect is read through the API.
 * Actions that differ in how they are done (where they are offered, what they prompt for) are done in the browser, the
 * others by the call that the screen would make.
 */
import { describe, expect, test } from 'vitest'
import type { ListPlan } from '../../engine/screens/list/list.ts'
import type { ActionPlan, Entity, PrepareResult, RecordData, ScreenPlan, Transition } from '../../engine/model/model.ts'
import { isVisible } from '../../engine/expression/verdict.ts'
import { api, call, detail, dialog, list, listed, ready, route, useDemo } from './app.ts'
import {
  bare,
  catalog,
  covering,
  dictionary,
  different,
  except,
  filled,
  holds,
  hostOf,
  isBelow,
  screenCases,
  textOf,
  verdictContext,
  widgets,
} from './catalog.ts'
import type { ScreenCase } from './catalog.ts'
import { effectsOf } from './effects.ts'
import { fillIn } from './fields.ts'
import { fillingBeside, written } from './fillings.ts'
import type { Filling } from './fillings.ts'
import { queryOf } from './grid.ts'
import { agree, agreeing, button, confirm } from './parts.ts'
import { actionsOf, offeredAbove, offeredBy, reach, rowOf, start } from './reach.ts'
import type { Place } from './reach.ts'
import { allows, bring, recordWhere, transitionOf } from './records.ts'
import { readSheet } from './sheet.ts'
import { isLong } from '../long.ts'

useDemo()

const entityOf = ({ plan }: ScreenCase): Entity => catalog.entities[plan.entity!]

interface ActionCase {
  name: string
  screen: ScreenCase
  action: ActionPlan
  /** The decision of a review. */ decision?: ActionPlan
}

// Actions on imported files take effect after a while, which only the journeys of imports wait for.
const ofFiles = ['imports', 'importDetail']
const everyCase = different
  .filter(({ plan }) => !ofFiles.includes(plan.kind) && !isBelow(plan))
  .flatMap((screen) =>
    actionsOf(screen.plan).flatMap((action): ActionCase[] => {
      const name = `${screen.name}: ${action.name}`
      if (action.do.kind !== 'review') return [{ name, screen, action }]
      return action.do.calls.map((decision) => ({ name: `${name}, ${decision.name}`, screen, action, decision }))
    }),
  )
// An action of an entity is done once in each kind of screen and place, and one with a preparation only once; the
// conditions below prove where else it is offered.
const placeOf = ({ screen: { plan }, action: { name, on, do: run }, decision }: ActionCase): string =>
  [
    plan.entity,
    name,
    decision?.name,
    run.kind,
    ...(run.kind === 'call' && run.prepare ? [] : [plan.kind, on]),
    ['export', 'link'].includes(run.kind) && plan.name,
  ].join(' ')
const cases = everyCase.filter(
  (each, index) => everyCase.findIndex((other) => placeOf(other) === placeOf(each)) === index,
)
const wayTo = ({ plan }: ScreenCase): string => (plan.route !== undefined ? 'page' : hostOf(plan) ? 'part' : 'drawer')
/**
 * The features in which the ways of doing actions differ. The long run does each in every kind of screen and place,
 * prompts for every type of field, and makes every preparation.
 */
function waysOf(actionCase: ActionCase): string[] {
  const {
    screen,
    action: { on, do: run, confirm },
    decision,
  } = actionCase
  const { kind } = screen.plan
  const call = decision?.do ?? run
  const fields = call.kind === 'call' ? call.form.map(({ field }) => entityOf(screen).fields[field]) : []
  const promptedTypes = fields.filter(({ computed }) => !computed).map(({ type }) => type)
  const needsConfirm = (decision?.confirm ?? confirm) !== undefined
  const prepares = call.kind === 'call' && call.prepare !== undefined
  const common = fields.some(({ computed }) => computed) ? ['computes'] : []
  return isLong
    ? [
        ...common,
        `${run.kind} ${on} of ${kind}`,
        `${on} of ${kind} in a ${wayTo(screen)}`,
        ...(needsConfirm ? [`${run.kind} ${on} asks`] : []),
        ...promptedTypes.map((type) => `asks for ${type}`),
        ...(prepares ? [placeOf(actionCase)] : []),
      ]
    : [
        ...common,
        run.kind === 'call' ? `calls from ${on}` : run.kind,
        ...(needsConfirm ? [`${run.kind} asks`] : []),
        ...(promptedTypes.length > 0 ? ['prompts'] : []),
        ...(prepares ? ['prepares'] : []),
      ]
}
// Drawers are opened with each screen elsewhere; a list in a drawer has no address that shows its query.
const isTestedHere = ({ screen, action: { do: run } }: ActionCase) =>
  run.kind !== 'drawer' && (run.kind !== 'export' || wayTo(screen) !== 'drawer')
const byHand = covering(cases.filter(isTestedHere), waysOf)

const onRecord = ({ on }: ActionPlan) => on !== 'toolbar'
const within = ({ body }: ScreenPlan) => (body as Partial<ListPlan>).where
/** The question as the screen shows it, with its values. */
const questionOf = ({ confirm, do: run }: ActionPlan, records: RecordData[], { fields }: Entity): string | undefined =>
  (confirm?.cn ?? (run.kind === 'delete' ? '确定删除该数据吗？' : undefined))
    ?.replaceAll('{n}', String(records.length))
    .replace(/\{(\w+)\}/g, (_, name: string) => textOf(fields[name], records[0][name], 'cn'))

/** Whether the state of the record and its guards allow the action. */
function isAllowed(entity: Entity, action: ActionPlan, record: RecordData): boolean {
  const transition = transitionOf(entity, action.name)
  return (
    holds(action.shownWhen, entity, record) &&
    (!transition || action.do.kind !== 'call' || allows(entity, transition, record))
  )
}

/** The records to act on: one, or two for a batch if the first page has them. */
async function subjectsOf({ screen, action, decision }: ActionCase): Promise<RecordData[]> {
  if (!onRecord(action)) return []
  const entity = entityOf(screen)
  const wanted = (record: RecordData) =>
    isAllowed(entity, action, record) && (!decision || isAllowed(entity, decision, record))
  // Files named by the number of each record are tested with the server, so one record is enough.
  const hasNamedFiles = action.do.kind === 'call' && action.do.form.some(({ namedBy }) => namedBy !== undefined)
  if (action.on === 'batch' && !hasNamedFiles) {
    const plan = screen.plan.body as ListPlan
    const two = (await listed(entity.endpoint, queryOf(plan, screen.plan.route ?? ''))).filter(wanted).slice(0, 2)
    if (two.length === 2) return two
  }
  if (action.do.kind === 'call' && action.do.prepare !== undefined) {
    const prepared = await preparedFor(
      action.do,
      (await listed(entity.endpoint, { filters: within(screen.plan) ?? {} })).filter(wanted),
    )
    if (prepared) return [prepared]
  }
  // Records that no user adds by hand are taken from the demo.
  const search = { fresh: action.do.kind === 'delete' && entity.allow.create !== false, within: within(screen.plan) }
  return [await recordWhere(entity, wanted, `allows "${action.name}"`, search)]
}

/** The first record with proposals for all prompted rows, since a record may have nothing to act on. */
async function preparedFor(
  { prepare, form }: Extract<ActionPlan['do'], { kind: 'call' }>,
  records: RecordData[],
): Promise<RecordData | undefined> {
  for (const record of records.slice(0, 30)) {
    const { values } = await call<PrepareResult>('POST', prepare!, { id: record.id })
    const proposals = form.map(({ field }) => values[field]).filter(Array.isArray)
    if (proposals.every(({ length }) => length > 0)) return record
  }
  return undefined
}

/**
 * Handles the open reductions before an offboarding is completed: its procedure requires that, but no schema says so.
 */
async function finishFirst({ name }: Entity, { name: action }: ActionPlan, people: RecordData[]): Promise<void> {
  if (name !== 'person' || action !== 'close') return
  const open = ['pending', 'processing', 'returned', 'failed']
  for (const entity of Object.values(catalog.entities).filter((each) => each.name.endsWith('Reduction')))
    for (const { id } of people) {
      const tickets = await list(entity.endpoint, { filters: { person: { equals: id! }, status: { in: open } } })
      for (const ticket of tickets.list) await bring(entity, ticket.id!, ({ status }) => !open.includes(String(status)))
    }
}

/** Fillings for the fields that the dialog prompts for and nothing has prepared, under their labels there. */
async function answersTo(entity: Entity, { do: run, on }: ActionPlan, records: RecordData[]): Promise<Filling[]> {
  if (run.kind !== 'call') return []
  const ids = records.map(({ id }) => id!)
  const { values: prepared } =
    run.prepare === undefined
      ? { values: {} }
      : await call<PrepareResult>('POST', run.prepare, on === 'batch' ? { ids } : { id: ids[0] })
  const whole: RecordData = { ...(records[0] && (await detail(entity.endpoint, ids[0]))), ...prepared }
  const fillings: Filling[] = []
  for (const { field, label } of run.form) {
    if (entity.fields[field].computed || (prepared[field] ?? null) !== null) continue
    const values = { ...whole, ...Object.fromEntries(fillings.map((filling) => [filling.field.name, filling.value])) }
    const promptedField = { ...entity.fields[field], ...(label && { label }) }
    if (records.length === 0 || isVisible(entity, promptedField, values, verdictContext(values)))
      fillings.push(await fillingBeside(entity, promptedField, values))
  }
  return fillings
}

async function answer(place: Place, entity: Entity, action: ActionPlan, records: RecordData[]): Promise<Filling[]> {
  const fillings = await answersTo(entity, action, records)
  await fillIn(dialog(place.page), fillings, ({ label }) => label.cn)
  return fillings
}

type Of<K> = ActionPlan & { do: Extract<ActionPlan['do'], { kind: K }> }
interface Doing {
  place: Place
  screen: ScreenCase
  entity: Entity
  records: RecordData[]
  decision?: ActionPlan
  begin(): Promise<void>
}

const done: { [K in Exclude<ActionPlan['do']['kind'], 'drawer'>]: (action: Of<K>, doing: Doing) => Promise<void> } = {
  async link({ do: { to } }, { place, records, begin }) {
    const address = filled(to, records[0] ?? {})
    await begin()
    await expect.poll(() => route(place.page)).toBe(address)
    await ready(place.page)
    const [path, query] = address.split('?')
    const target = screenCases.find(
      ({ plan, variant }) =>
        plan.route === path && (!variant || new URLSearchParams(query).get(variant.parameter) === variant.value),
    )!
    await place.page.getByRole('heading', { level: 1, name: target.plan.title.cn, exact: true }).waitFor()
    expect(
      await place.page
        .getByRole('main')
        .getByRole('alert')
        .filter({ hasText: /失败|不存在|无权/ })
        .count(),
    ).toBe(0)
  },

  async delete(action, { place, entity, records, begin }) {
    await begin()
    await confirm(place.page, questionOf(action, records, entity)!)
    await expect
      .poll(async () => (await api('GET', `${entity.endpoint}/detail`, { id: records[0].id! })).code)
      .toBe(404)
    expect((await list(entity.endpoint)).list.map(({ id }) => id)).not.toContain(records[0].id)
  },

  async download({ label }, { place, begin }) {
    const download = place.page.waitForEvent('download')
    await begin()
    // The content is tested with the imports.
    expect((await download).suggestedFilename(), label.en).toMatch(/\.xlsx$/)
  },

  async export({ name }, { place, screen, entity, begin }) {
    const made = entity.downloads?.[name]
    if (made) {
      const file = place.page.waitForEvent('download')
      await begin()
      // The content is tested with the server.
      return expect((await file).suggestedFilename(), made.label.cn).toMatch(
        made.run !== undefined ? /\.pdf$/ : made.files !== undefined ? /\.\w+$/ : /^[^.]+\.xlsx$/,
      )
    }
    const plan = screen.plan.body as ListPlan
    // Only the first thousand records of a long list are compared.
    const { list: records, total } = await list(entity.endpoint, {
      ...queryOf(plan, place.page.url().split('#')[1]),
      page: 1,
      size: 1000,
    })
    const download = place.page.waitForEvent('download')
    await begin()
    const [headers, ...rows] = await readSheet(await download)
    const columns = plan.columns.filter(({ field, hidden }) => !hidden && widgets[entity.fields[field].type].sheet)
    expect(headers).toEqual(columns.map(({ label }) => label.cn))
    expect(rows.length).toBe(total)
    // Only texts are compared, since dates and numbers are cells of their own types.
    for (const [index, { field: name, label }] of columns.entries()) {
      const field = entity.fields[name]
      const write = (record: RecordData) =>
        (record[name] ?? null) === null
          ? null
          : widgets[field.type].sheet!.write(
              record[name]!,
              field.options,
              { label: field.label, dictionary, now: verdictContext().now },
              'cn',
            )
      const expected = records.map(write)
      const known = expected
        .map((cell, at) => (typeof cell === 'string' ? [cell, rows[at][index]] : []))
        .filter(({ length }) => length > 0)
      expect(
        known.map(([, cell]) => String(cell)),
        label.cn,
      ).toEqual(known.map(([cell]) => cell))
    }
  },

  async call(action, { place, entity, records, begin }) {
    const given: Filling[] = []
    const effects = await Promise.all(records.map((record) => effectsOf(entity, action, record, given)))
    await begin()
    const question = questionOf(action, records, entity)
    const isForeseen = action.do.foresee !== undefined
    const first = isForeseen ? undefined : question
    if (action.do.form.length > 0) {
      if (first) await dialog(place.page).getByText(first, { exact: true }).waitFor()
      given.push(...(await answer(place, entity, action, records)))
      await agreeing(dialog(place.page)).click()
    } else if (first) await confirm(place.page, first)
    if (isForeseen) await agree(place.page, question)
    // An action without a record has no record to check: its result is announced, and the dialog closes.
    if (records.length === 0)
      await place.page
        .getByText(/^(“.+”已完成|已生成.+\d+条)/)
        .filter({ visible: true })
        .first()
        .waitFor()
    for (const effect of effects) await effect()
  },

  async review(action, { place, entity, records, decision, begin }) {
    const given: Filling[] = []
    const effect = await effectsOf(entity, decision!, records[0], given)
    await begin()
    const review = place.page.getByRole('dialog', { name: action.label.cn, exact: true })
    const facts = action.do.show
      .filter((name) => typeof records[0][name] === 'string')
      .map((name) => bare(textOf(entity.fields[name], records[0][name], 'cn')))
    const unseen = async () => {
      const text = bare(await review.innerText())
      return facts.filter((fact) => !text.includes(fact))
    }
    await expect.poll(unseen, { message: 'what is to be reviewed and is not shown' }).toEqual([])
    const decide = button(review, decision!.label.cn)
    await decide.click()
    const promptedFields = decision!.do.kind === 'call' ? decision!.do.form : []
    const question = questionOf(decision!, records, entity)
    if (promptedFields.length > 0) {
      given.push(...(await answer(place, entity, decision!, records)))
      await decide.click()
    } else if (question) await confirm(place.page, question)
    await effect()
  },
}

/** Requests the further items only when the first are not enough. */
async function* oneAfterOther<T>(first: readonly T[], further: () => Promise<readonly T[]>): AsyncGenerator<T> {
  yield* first
  yield* await further()
}

/** A transition without a form after which the record may still be deleted. */
const giveUp = (entity: Entity, action: ActionPlan, record: RecordData): Transition | undefined =>
  entity.states
    .flatMap(({ transitions }) => Object.values(transitions))
    .find(
      (transition) =>
        transition.form.length === 0 &&
        allows(entity, transition, record) &&
        isAllowed(entity, action, { ...record, [transition.field]: transition.to }),
    )

/**
 * Deletes the first record that nothing protects, if necessary after a transition that gives it up.
 * @returns its id
 */
async function deleted(entity: Entity, action: ActionPlan, path: string, first: RecordData): Promise<number> {
  const refused: string[] = []
  const others = () => listed(entity.endpoint)
  for await (const record of oneAfterOther([first], others)) {
    if (!isAllowed(entity, action, record)) continue
    const id = record.id!
    for (const step of [undefined, giveUp(entity, action, record)?.name]) {
      if (step !== undefined) await api('POST', `${entity.endpoint}/${step}`, { id })
      const { code, message } = await api('POST', path, { id })
      if (code === 1) return id
      refused.push(message)
    }
  }
  throw new Error(`no ${entity.name} can be deleted: ${[...new Set(refused)].join('; ')}`)
}

test.each(byHand)('$name', async (given) => {
  const { screen, action, decision } = given
  const records = await subjectsOf(given)
  const place = await reach(screen, records[0])
  const begin = () => start(place, screen.plan, action, records)
  await done[action.do.kind as keyof typeof done](action as never, {
    place,
    screen,
    entity: entityOf(screen),
    records,
    decision,
    begin,
  })
})

// Targets of links and drawers are opened by themselves, and files have journeys of their own. The server treats one
// record and several alike.
const callOf = ({ screen: { plan }, action: { name, do: run }, decision }: ActionCase) =>
  [plan.entity, name, decision?.name, run.kind === 'call' && run.path].join(' ')
const worked = new Set(byHand.map(callOf))
const calls = except(cases, byHand).filter(
  (each) =>
    ['call', 'review', 'delete'].includes(each.action.do.kind) &&
    !worked.has(callOf(each)) &&
    Boolean(worked.add(callOf(each))),
)
/** What the server does for an action: each kind of effect is called once. */
function workOf({ screen, action: { do: run, name }, decision }: ActionCase): string[] {
  const entity = entityOf(screen)
  const called = decision?.name ?? name
  const effects = transitionOf(entity, called) ?? entity.actions[called]
  const isTransition = effects !== undefined && effects === transitionOf(entity, called)
  return [
    run.kind,
    ...(effects === undefined
      ? []
      : [
          isTransition ? 'transition' : 'action',
          ...(Object.keys(effects.set).length > 0 ? ['sets'] : []),
          ...(effects.append.length > 0 ? ['appends'] : []),
          ...(effects.updates.length > 0 ? ['updates'] : []),
        ]),
  ]
}
// Only the screen sends what a preparation proposes; the journeys of receipts, invoices and leave have more of them.
// The demo's approved payrolls are already in payments; only the long run approves one whose approval can be withdrawn.
const unprepared = calls.filter(
  ({ action: { name, do: run } }) => name !== 'unapprove' && (run.kind !== 'call' || run.prepare === undefined),
)
test.each(isLong ? calls : covering(unprepared, workOf))('$name works through its API call', async (given) => {
  const { screen, action, decision = action } = given
  const entity = entityOf(screen)
  const records = await subjectsOf(given)
  await finishFirst(entity, decision, records)
  if (decision.do.kind === 'delete') {
    const gone = await deleted(entity, action, decision.do.path, records[0])
    return expect((await api('GET', `${entity.endpoint}/detail`, { id: gone })).code).toBe(404)
  }
  if (decision.do.kind !== 'call') throw new Error(`${decision.name} makes no call`)
  const isOne = action.on !== 'batch' && records.length === 1
  const others = async () =>
    (isOne ? await listed(entity.endpoint) : [])
      .filter((record) => isAllowed(entity, decision, record))
      .slice(0, 20)
      .map((record) => [record])
  const refused: string[] = []
  // One record may be blocked, for instance because its person has come back or its tickets are handled; then others
  // are tried.
  for await (const subjects of oneAfterOther([records], others)) {
    const answers = await answersTo(entity, decision, subjects)
    const effects = await Promise.all(subjects.map((record) => effectsOf(entity, decision, record, answers)))
    const [first] = subjects
    const { code, message, errors } = await api('POST', decision.do.path, {
      ...(first && (isOne ? { id: first.id, revision: first.revision } : { ids: subjects.map(({ id }) => id!) })),
      values: Object.fromEntries(answers.map((filling) => [filling.field.name, written(filling)])),
    })
    if (code === 1) {
      for (const effect of effects) await effect()
      return
    }
    refused.push(`${message} ${JSON.stringify(errors)}`)
    const stands =
      code === 409 || (errors !== undefined && errors.length > 0 && errors.every((error) => error.code === 'limit'))
    if (!stands) break
  }
  throw new Error(`${decision.name}: ${[...new Set(refused)].join('; ')}`)
})

describe('a record offers exactly the actions that its state allows:', () => {
  const places = { list: 'row', detail: 'header' } as const
  const actionsAt = ({ plan }: ScreenCase) =>
    actionsOf(plan).filter(({ on }) => on === places[plan.kind as keyof typeof places])
  const conditional = different.filter(
    (screen) => !isBelow(screen.plan) && actionsAt(screen).some(({ shownWhen }) => shownWhen !== undefined),
  )

  /** A few records, so that every condition holds for one of them and fails for another. */
  async function contrasts(screen: ScreenCase): Promise<RecordData[]> {
    const entity = entityOf(screen)
    const chosen: RecordData[] = []
    for (const { name, shownWhen } of actionsAt(screen)) {
      if (shownWhen === undefined) continue
      for (const expected of [true, false]) {
        const wanted = (record: RecordData) => holds(shownWhen, entity, record) === expected
        const what = `${expected ? 'offers' : 'does not offer'} "${name}"`
        if (chosen.some(wanted)) continue
        const found = await recordWhere(entity, wanted, what, { within: within(screen.plan), still: true }).catch(
          () => undefined,
        )
        // If the filter of the screen excludes all such records, one must exist elsewhere.
        if (found) chosen.push(found)
        else await recordWhere(entity, wanted, what)
      }
    }
    return chosen
  }

  const seen = covering(conditional, (screen) => [
    screen.plan.kind,
    ...(isLong ? [`${screen.plan.kind} in a ${wayTo(screen)}`] : []),
    ...(isLong && actionsAt(screen).length > 3 ? ['many'] : []),
    ...(isLong && (screen.plan.body as Partial<ListPlan>).tabs ? ['tabs'] : []),
  ])

  // A list and the details of one entity share conditions, so each condition is tested once.
  const tested = new Set<string>()
  const unseen = except(conditional, seen).filter(
    (screen) =>
      actionsAt(screen).filter(({ name, shownWhen }) => {
        const condition = [screen.plan.entity, JSON.stringify(within(screen.plan)), name, shownWhen].join(' ')
        return shownWhen !== undefined && !tested.has(condition) && Boolean(tested.add(condition))
      }).length > 0,
  )

  // Whether the demo has such records says nothing of the product.
  test.skipIf(!isLong).each(unseen)(
    '$name has records that meet and records that fail every condition',
    async (screen) => {
      await contrasts(screen)
    },
  )

  // `actions.test.tsx` offers actions as their conditions say.
  test.runIf(isLong).each(seen)('$name', async (screen) => {
    const entity = entityOf(screen)
    const actions = actionsAt(screen)
    const records = await contrasts(screen)
    const isList = screen.plan.kind === 'list'
    let place = isList ? await reach(screen) : undefined
    for (const { id } of records) {
      const record = await detail(entity.endpoint, id!)
      const expected = actions.filter(({ shownWhen }) => holds(shownWhen, entity, record)).map(({ label }) => label.cn)
      if (!place || !isList) place = await reach(screen, record, 'cn', place?.page)
      const offered = isList
        ? await offeredBy(place, await rowOf(place, screen.plan as ScreenPlan<ListPlan>, record))
        : await offeredAbove(place, actions)
      // The next action comes first, so the order is ignored.
      expect(offered.toSorted(), `${entity.name} ${String(record[entity.display])}`).toEqual(expected.toSorted())
    }
  })
})
