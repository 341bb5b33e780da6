/**
 * Generated from the catalog: every form is filled in and changed in every variant. The browser uses a few forms that
 * together have every kind of field and condition; for the others, the server gets what they would send.
 */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { FormField, FormPlan } from '../../engine/screens/form/form.ts'
import { checkField, isReadOnly, isRequired, isVisible, isWritable } from '../../engine/expression/verdict.ts'
import { inputs } from '../../engine/expression/conditions.ts'
import { isSame } from '../../engine/expression/normalizeRecord.ts'
import type { Entity, Field, JobProgress, RecordData, SaveResult, ScreenPlan } from '../../engine/model/model.ts'
import { call, detail, listed, useDemo } from './app.ts'
import type { Language } from './app.ts'
import { beginningOf } from './beginnings.ts'
import {
  catalog,
  covering,
  dictionary,
  different,
  except,
  holds,
  hostOf,
  isBelow,
  languages,
  verdictContext,
  widgets,
} from './catalog.ts'
import type { ScreenCase } from './catalog.ts'
import { fillIn, shownIn, shows } from './fields.ts'
import type { Shown } from './fields.ts'
import { fillingFor, fillingsFor, isKept, written } from './fillings.ts'
import type { Filling } from './fillings.ts'
import { button, confirm, says } from './parts.ts'
import { openedWith, opening, reach } from './reach.ts'
import { isLong } from '../long.ts'
import { recordWhere } from './records.ts'
import { violations } from './violations.ts'

useDemo()

const forms = different.filter(({ plan }) => plan.kind === 'form' && !isBelow(plan))
const inMode = (...modes: FormPlan['mode'][]) =>
  forms.filter(({ plan }) => modes.includes((plan.body as FormPlan).mode))
const entityOf = ({ plan }: ScreenCase): Entity => catalog.entities[plan.entity!]
const modeOf = ({ plan }: ScreenCase): string => (plan.body as FormPlan).mode
const fieldsOf = ({ plan }: ScreenCase): FormField[] => (plan.body as FormPlan).sections.flatMap(({ fields }) => fields)
const words = {
  cn: { enter: '请输入', select: '请选择', upload: '请上传', toCorrect: (n: number) => `${n}项需要修改` },
  en: {
    enter: 'Please enter ',
    select: 'Please select ',
    upload: 'Please upload ',
    toCorrect: (n: number) => `${n} to correct`,
  },
}

const formOf = (page: Page, { title }: ScreenPlan, language: Language): Locator =>
  page.getByRole('form', { name: title[language], exact: true })
const labelsOf =
  (screen: ScreenCase) =>
  ({ name, label }: Field): string =>
    fieldsOf(screen).find(({ field }) => field === name)?.label.cn ?? label.cn

/** The state of each field that the form shows for a record with these values: read, required or optional. */
function expectedStates(
  screen: ScreenCase,
  values: RecordData,
  old: RecordData | null,
): Record<string, Shown['state']> {
  const { mode, sections } = screen.plan.body as FormPlan
  const entity = entityOf(screen)
  const context = verdictContext(old)
  const laid = sections.flatMap(({ fields, visibleWhen }) => (holds(visibleWhen, entity, values) ? fields : []))
  return Object.fromEntries(
    laid.flatMap(({ field: name, readOnly }): [string, Shown['state']][] => {
      const field = entity.fields[name]
      // A value that the server generates has nothing to show yet.
      const isMade = isWritable(field, widgets) || mode !== 'create' || (values[name] ?? null) !== null
      if (!isMade || !isVisible(entity, field, values, context)) return []
      const isLocked = readOnly || mode === 'read' || isReadOnly(entity, field, values, context)
      return [[name, isLocked ? 'read' : isRequired(entity, field, values, context) ? 'required' : 'optional']]
    }),
  )
}

/** The initial values of a new record on this screen, and the record that the screen is opened with. */
async function beginning(screen: ScreenCase) {
  const { preset } = screen.plan.body as FormPlan
  const opened = await openedWith(screen)
  const referred = screen.plan.parameters.flatMap(({ name }) =>
    opened && catalog.entities[screen.plan.entity!].fields[name]
      ? [[name, { id: opened.id, name: opened[entityOf(screen).display] }]]
      : [],
  )
  const given: RecordData = { ...preset, ...Object.fromEntries(referred) }
  return { opened, given, start: await beginningOf(entityOf(screen), given) }
}

const isTyped = ({ type, options }: Field) => {
  const { prompt, protect, target, html } = widgets[type]
  return prompt === 'enter' && !protect && !html && !target?.(options)
}
/** What the short run fills in once: fields that are typed into are alike, and so are those with a calendar. */
const controlOf = (field: Field) =>
  isTyped(field) ? 'typed' : ['date', 'datetime', 'month'].includes(field.type) ? 'calendar' : field.type
/**
 * The features of a form that others may lack: how it is opened, and the controls of its fields; in the long run, all
 * types of its fields and of the columns of its rows.
 */
function partsOf(screen: ScreenCase, parts: readonly FormField[]): string[] {
  const entity = entityOf(screen)
  const place = screen.plan.route === undefined ? (hostOf(screen.plan) ? 'part' : 'drawer') : 'page'
  return [
    place,
    ...parts.flatMap(({ field }) => {
      const { type, options } = entity.fields[field]
      const target = widgets[type].target?.(options)
      const columns =
        target?.rows && isLong
          ? (options.columns as string[]).map(
              (name) => `${type} with ${catalog.entities[target.entity].fields[name].type}`,
            )
          : []
      return [isLong ? type : controlOf(entity.fields[field]), ...columns]
    }),
  ]
}
const openFields = (screen: ScreenCase) => fieldsOf(screen).filter(({ readOnly }) => !readOnly)
const neededParts = (screen: ScreenCase): string[] => {
  const { fields } = entityOf(screen)
  const needed = openFields(screen).filter(
    ({ field }) => fields[field].required || fields[field].requiredWhen !== undefined,
  )
  return [
    ...partsOf(screen, needed),
    ...needed.map(({ field }) => (fields[field].requiredWhen === undefined ? 'required' : 'required when')),
  ]
}
const prompted = (screen: ScreenCase): string[] =>
  neededParts(screen).flatMap((type) => (Object.hasOwn(widgets, type) ? widgets[type].prompt : []))

const statesIn = async (form: Locator) =>
  Object.fromEntries([...(await shownIn(form))].map(([name, { state }]) => [name, state]))

/** An editable record in which as many of the given fields as possible are editable. */
async function subjectOf(screen: ScreenCase, open: Field[] = []): Promise<RecordData> {
  const entity = entityOf(screen)
  const allowed = (screen.plan.body as FormPlan).mode === 'edit' ? entity.allow.update : true
  const isReached = await opening(screen)
  const isAllowed = (record: RecordData) =>
    (typeof allowed === 'boolean' || holds(allowed, entity, record)) && isReached(record)
  const openIn = (record: RecordData) =>
    open.filter((field) => !isReadOnly(entity, field, record, verdictContext(record))).length
  // Some fields become read-only for good once the record exists.
  const most = Math.max(0, ...(await listed(entity.endpoint)).filter(isAllowed).map(openIn))
  return recordWhere(entity, (record) => isAllowed(record) && openIn(record) >= most, 'may be edited')
}

/**
 * Saves and confirms the questions on the way.
 * @returns the id of the record
 */
async function save(
  page: Page,
  screen: ScreenCase,
  changed: string[],
  values: RecordData,
  old: RecordData | null,
): Promise<number> {
  const { submit, paths, mode } = screen.plan.body as FormPlan
  const entity = entityOf(screen)
  const path = `/api${mode === 'edit' ? paths.update : paths.create}`
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path)
  // The message shows only for seconds, so the wait begins before it appears.
  const saved = says(page, '保存成功')
  saved.catch(() => undefined)
  await button(formOf(page, screen.plan, 'cn'), submit.cn).click()
  for (const event of entity.saves) {
    const follows =
      event.on === (old ? 'update' : 'create') &&
      (!event.changed || event.changed.some((name) => changed.includes(name)))
    if (event.confirm && follows && holds(event.when, entity, old ?? values)) await confirm(page, event.confirm.cn)
  }
  const { code, message, result } = (await (await answered).json()) as {
    code: number
    message: string
    result: SaveResult | { job: JobProgress }
  }
  expect({ code, message }).toMatchObject({ code: 1 })
  await saved
  return ('job' in result ? await endOf(result.job) : result).id
}

/** The result of the job that answers a slow save. */
async function endOf({ id }: JobProgress): Promise<SaveResult> {
  const { result } = await call<JobProgress>('GET', `/jobs/${id}`)
  return result as SaveResult
}

// The tests of the component report every kind of mistake.
describe.skipIf(!isLong).each(languages)('in %s', (language) => {
  test.each(covering(inMode('create'), language === languages[0] ? neededParts : prompted))(
    '$name reports the missing fields and focuses the first of them',
    async (screen) => {
      const { opened, start: values } = await beginning(screen)
      const { page } = await reach(screen, opened, language)
      const entity = entityOf(screen)
      const form = formOf(page, screen.plan, language)
      const states = expectedStates(screen, values, null)
      await expect.poll(() => statesIn(form), { message: 'the fields' }).toEqual(states)
      expect(await form.getByRole('alert').allInnerTexts(), 'nothing is wrong yet').toEqual([])
      const needed = fieldsOf(screen).filter(({ field }) => states[field] === 'required')
      const missing = needed.filter(({ field }) => (values[field] ?? null) === null)
      // If a form starts with everything that it needs, one field is emptied again.
      const emptied =
        missing.length > 0
          ? undefined
          : needed.find(({ field }) => widgets[entity.fields[field].type].prompt === 'enter')
      if (emptied) {
        await form.getByRole('textbox', { name: emptied.label[language], exact: true }).fill('')
        missing.push(emptied)
      }
      await button(form, (screen.plan.body as FormPlan).submit[language]).click()
      expect(missing.length, 'required fields').toBeGreaterThan(0)
      const say = words[language]
      // Rows that a form starts with may be incomplete, too.
      const wrong = fieldsOf(screen)
        .filter(({ field }) => states[field] !== undefined)
        .flatMap(({ field, label }) => {
          if (missing.some((each) => each.field === field))
            return [[say[widgets[entity.fields[field].type].prompt] + label[language]]]
          const problems = widgets[entity.fields[field].type].target?.(entity.fields[field].options)?.rows
            ? checkField(entity, entity.fields[field], values, verdictContext())
            : []
          return problems.length > 0 ? [problems.map(({ message }) => message[language])] : []
        })
      await expect
        .poll(() => form.getByRole('alert').allInnerTexts())
        .toEqual([...wrong.flat(), say.toCorrect(wrong.length)])
      const focused = () =>
        page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset.field)
      await expect.poll(focused, { message: 'the field that has the focus' }).toBe(missing[0].field)
    },
  )
})

// Values suggested by a procedure depend on each other, so forms with suggestions have journeys of their own.
const made = inMode('create').filter((screen) => !entityOf(screen).suggests)
const makes = (screen: ScreenCase) => {
  const entity = entityOf(screen)
  return [
    ...partsOf(screen, openFields(screen)),
    ...(entity.copies ? ['copies'] : []),
    ...(entity.saves.some(({ on, confirm }) => on === 'create' && confirm) ? ['asks'] : []),
  ]
}
/** Of forms with as many features, the one with fewer fields is filled in. */
const byLength = isLong ? made : made.toSorted((a, b) => openFields(a).length - openFields(b).length)
const seen = new Set<string>()
/** Fills in the required fields of each form by hand, and the first field of each kind. */
const madeByHand = covering(byLength, makes).map((screen) => {
  const { fields, rules } = entityOf(screen)
  const isNeeded = ({ required, requiredWhen, name }: Field) =>
    required || requiredWhen !== undefined || rules.some(({ at }) => at === name)
  const first = openFields(screen).filter((part) => {
    const isNew = partsOf(screen, [part]).filter((kind) => !seen.has(kind) && Boolean(seen.add(kind))).length > 0
    return isNew || isNeeded(fields[part.field])
  })
  return { ...screen, first: new Set(first.map(({ field }) => field)) }
})

/** The values to fill into a form that starts with the given values. */
async function fillingsOf(screen: ScreenCase, given: RecordData, start: RecordData, only?: ReadonlySet<string>) {
  const entity = entityOf(screen)
  // Values copied from another record stay, except the one that tells the two apart.
  const copied =
    entity.copies && Object.hasOwn(given, entity.copies.by)
      ? entity.copies.fields.filter((name) => (start[name] ?? null) !== null)
      : undefined
  const isOpen = (name: string) =>
    !Object.hasOwn(given, name) && (!copied || (start[name] ?? null) === null || name === entity.display)
  const names = openFields(screen)
    .filter(({ field }) => isOpen(field) && (!only || only.has(field)))
    .map(({ field }) => field)
  return { copied, names, fillings: await fillingsFor(entity, names, start) }
}
/** Field, expected value and actual value of each filling that the record lacks. */
const lostOf = (fillings: readonly Filling[], record: RecordData) =>
  fillings
    .filter((filling) => !isKept(filling, record))
    .map(({ field, value }) => [field.name, value, record[field.name]])

/** What the server computes for a new record. */
const computes = (screen: ScreenCase): string[] =>
  Object.values(entityOf(screen).fields).flatMap(({ type, computed, defaultFrom, unique }) => [
    type,
    ...(computed ? [computed.kind] : []),
    ...(defaultFrom === undefined ? [] : ['default from']),
    ...(unique ? ['unique'] : []),
  ])
const madeByServer = isLong ? made : covering(except(made, covering(byLength, makes)), computes)
test.each(madeByServer)('the server creates the record that $name sends', async (screen) => {
  const entity = entityOf(screen)
  const { given, start } = await beginning(screen)
  const { fillings } = await fillingsOf(screen, given, start)
  const sent = Object.keys(start)
    .map((name) => entity.fields[name])
    .filter((field) => field !== undefined && isWritable(field, widgets) && (start[field.name] ?? null) !== null)
    .map((field) => [field.name, written({ field, value: start[field.name]!, entry: '' })])
  const values = {
    ...Object.fromEntries(sent),
    ...Object.fromEntries(fillings.map((filling) => [filling.field.name, written(filling)])),
  }
  const { id } = await call<SaveResult>('POST', (screen.plan.body as FormPlan).paths.create, { values })
  expect(lostOf(fillings, await detail(entity.endpoint, id)), 'what was put in and is not kept').toEqual([])
})

test.each(madeByHand)('$name creates the record that is filled in', async (screen) => {
  const { opened, given, start } = await beginning(screen)
  const { page } = await reach(screen, opened)
  const entity = entityOf(screen)
  const form = formOf(page, screen.plan, 'cn')
  const { copied, names, fillings } = await fillingsOf(screen, given, start, screen.first)
  await fillIn(form, fillings, labelsOf(screen))
  const values = { ...start, ...Object.fromEntries(fillings.map(({ field, value }) => [field.name, value])) }
  // A computed field appears with its inputs, which a procedure may have suggested.
  const typed = (states: Record<string, Shown['state']>) =>
    Object.fromEntries(Object.entries(states).filter(([name]) => !entity.fields[name].computed))
  await expect
    .poll(async () => typed(await statesIn(form)), { message: 'the fields' })
    .toEqual(typed(expectedStates(screen, values, null)))
  expect(await violations(page, undefined, 'form:not([role=search])')).toEqual([])
  const record = await detail(entity.endpoint, await save(page, screen, names, values, null))
  expect(lostOf(fillings, record), 'what was put in and is not kept').toEqual([])
  const isRows = (name: string) =>
    widgets[entity.fields[name].type].target?.(entity.fields[name].options)?.rows !== undefined
  const changed = (copied ?? []).filter(
    (name) =>
      isVisible(entity, entity.fields[name], values, verdictContext()) &&
      !isRows(name) &&
      !names.includes(name) &&
      !isSame(entity.fields[name], start[name], record[name], widgets),
  )
  expect(changed, 'what was copied and is not kept').toEqual([])
})

test.each(
  covering(inMode('edit', 'read'), (screen) =>
    isLong ? partsOf(screen, fieldsOf(screen)).map((part) => `${modeOf(screen)} ${part}`) : [modeOf(screen)],
  ),
)('$name shows the record', async (screen) => {
  const entity = entityOf(screen)
  const record = await subjectOf(screen)
  const form = formOf((await reach(screen, record)).page, screen.plan, 'cn')
  await expect.poll(() => statesIn(form), { message: 'the fields' }).toEqual(expectedStates(screen, record, record))
  const missing = async () => {
    const shown = await shownIn(form)
    return [...shown.keys()].filter(
      (name) => (record[name] ?? null) !== null && !shows(entity.fields[name], record[name]!, shown.get(name)),
    )
  }
  await expect.poll(missing, { message: 'values that are not shown' }).toEqual([])
})

const changedByHand = covering(inMode('edit'), (screen) => [
  ...(isLong ? partsOf(screen, []) : []),
  ...entityOf(screen)
    .saves.filter(({ on }) => on === 'update')
    .map(({ confirm }) => (confirm ? 'asks' : 'saves')),
])
interface Change {
  record: RecordData
  field: Field
  filling: Filling
}

/** A change of the simplest field of a record. */
async function changeOf(screen: ScreenCase): Promise<Change> {
  const record = await subjectOf(screen)
  const field = simplest(screen, record)
  return {
    record,
    field,
    filling: await fillingFor(entityOf(screen), field, {
      not: record[field.name],
      fresh: field.unique || field.uniqueWithin !== undefined,
    }),
  }
}

async function expectChanged(screen: ScreenCase, { record, field, filling }: Change): Promise<void> {
  const entity = entityOf(screen)
  const after = await detail(entity.endpoint, record.id!)
  expect(isKept(filling, after), `${field.name}: ${JSON.stringify(after[field.name])}`).toBe(true)
  expect(after.revision).toBeGreaterThan(record.revision!)
  const others = fieldsOf(screen)
    .map((each) => entity.fields[each.field])
    .filter(({ name, computed }) => name !== field.name && !computed)
  expect(
    others.filter((other) => !isSame(other, record[other.name], after[other.name], widgets)).map(({ name }) => name),
  ).toEqual([])
}

test.each(changedByHand)('$name changes one field and keeps the others', async (screen) => {
  const change = await changeOf(screen)
  const { record, field, filling } = change
  const { page } = await reach(screen, record)
  await fillIn(formOf(page, screen.plan, 'cn'), [filling], labelsOf(screen))
  expect(await save(page, screen, [field.name], { ...record, [field.name]: filling.value }, record)).toBe(record.id)
  await expectChanged(screen, change)
})

const changedByServer = except(inMode('edit'), changedByHand)
test.each(isLong ? changedByServer : covering(changedByServer, (screen) => partsOf(screen, [])))(
  'the server changes the one field that $name sends, and keeps the others',
  async (screen) => {
    const change = await changeOf(screen)
    const { record, field, filling } = change
    await call('POST', (screen.plan.body as FormPlan).paths.update, {
      id: record.id,
      revision: record.revision,
      values: { [field.name]: written(filling) },
    })
    await expectChanged(screen, change)
  },
)

/** The field that is easiest to change: typed into, and with the fewest dependents. */
function simplest(screen: ScreenCase, record: RecordData): Field {
  const entity = entityOf(screen)
  const states = expectedStates(screen, record, record)
  const read = new Set([
    ...Object.values(entity.fields)
      .flatMap((field) => conditionsOf(field))
      .flatMap((condition) => inputs(condition, entity)),
    ...entity.saves.flatMap(({ changed }) => changed ?? []),
    ...(entity.suggests?.on ?? []),
  ])
  const able = Object.keys(states)
    .filter((name) => states[name] !== 'read')
    .map((name) => entity.fields[name])
  const weight = (field: Field) => {
    const { files, target } = widgets[field.type]
    return [
      !isTyped(field),
      target?.(field.options)?.rows,
      files,
      read.has(field.name),
      field.unique || field.uniqueWithin,
      field.sensitive,
    ].reduce<number>((sum, fault) => sum * 2 + Number(Boolean(fault)), 0)
  }
  if (able.length === 0) throw new Error(`${screen.name}: no field can be changed`)
  return able.reduce((a, b) => (weight(b) < weight(a) ? b : a))
}

const conditionsOf = ({ visibleWhen, requiredWhen, readOnlyWhen }: Field): string[] =>
  [visibleWhen, requiredWhen, readOnlyWhen].filter((condition) => condition !== undefined)

describe.runIf(isLong)('fields appear, disappear and become required as other fields say:', () => {
  /** The editable fields of the form that its conditions read. */
  function decidersOf(screen: ScreenCase): Field[] {
    const entity = entityOf(screen)
    const conditions = [
      ...fieldsOf(screen).flatMap(({ field }) => conditionsOf(entity.fields[field])),
      ...(screen.plan.body as FormPlan).sections.flatMap(({ visibleWhen }) => visibleWhen ?? []),
    ]
    const read = new Set(conditions.flatMap((condition) => inputs(condition, entity)))
    return fieldsOf(screen)
      .filter(({ field, readOnly }) => read.has(field) && !readOnly)
      .map(({ field }) => entity.fields[field])
      .filter((field) => isWritable(field, widgets))
  }

  async function choicesOf(entity: Entity, field: Field, values: RecordData): Promise<Filling[]> {
    const { dictionary: named, expression } = widgets[field.type]
    if (expression === 'boolean') return [true, false].map((value) => ({ field, value, entry: String(value) }))
    if (named && expression === 'list<string>') {
      // Choices accumulate: each is added to those already made.
      const chosen = (values[field.name] ?? []) as string[]
      const others = dictionary(named(field.options)!).choices.filter(
        ({ value, disabled }) => !disabled && !chosen.includes(value),
      )
      return others.map(({ label }, index) => ({
        field,
        value: [...chosen, ...others.slice(0, index + 1).map(({ value }) => value)],
        entry: [label.cn],
      }))
    }
    if (!named || expression !== 'string') return [await fillingFor(entity, field, { not: values[field.name] })]
    return dictionary(named(field.options)!)
      .choices.filter(({ disabled }) => !disabled)
      .map(({ value, label }) => ({ field, value, entry: label.cn }))
  }

  /** What conditions on each type of field decide. */
  function consequencesOf(screen: ScreenCase): string[] {
    const entity = entityOf(screen)
    const { mode, sections } = screen.plan.body as FormPlan
    const deciders = new Set(decidersOf(screen).map(({ name }) => name))
    const decidedBy = (what: string, condition: string | undefined) =>
      condition === undefined
        ? []
        : inputs(condition, entity)
            .filter((name) => deciders.has(name))
            .flatMap((name) => (isLong ? `${mode} ${what} by ${entity.fields[name].type}` : what))
    return [
      ...sections.flatMap(({ visibleWhen }) => decidedBy('section', visibleWhen)),
      ...fieldsOf(screen)
        .map(({ field }) => entity.fields[field])
        .flatMap(({ visibleWhen, requiredWhen, readOnlyWhen }) => [
          ...decidedBy('visible', visibleWhen),
          ...decidedBy('required', requiredWhen),
          ...decidedBy('read-only', readOnlyWhen),
        ]),
    ]
  }

  test.each(
    covering(
      inMode('create', 'edit').filter((screen) => decidersOf(screen).length > 0),
      consequencesOf,
    ),
  )('$name', async (screen) => {
    const entity = entityOf(screen)
    const old = (screen.plan.body as FormPlan).mode === 'edit' ? await subjectOf(screen, decidersOf(screen)) : null
    const { opened, start } = old ? { opened: old, start: old } : await beginning(screen)
    const form = formOf((await reach(screen, opened)).page, screen.plan, 'cn')
    let values = start
    const states = (changed: RecordData) => expectedStates(screen, changed, old)
    await expect.poll(() => statesIn(form), { message: 'the fields' }).toEqual(states(values))
    let tried = 0
    for (const field of decidersOf(screen)) {
      if (isReadOnly(entity, field, values, verdictContext(old))) continue
      const seen = new Set([JSON.stringify(states(values))])
      for (const choice of await choicesOf(entity, field, values)) {
        const next = { ...values, [field.name]: choice.value }
        const outcome = JSON.stringify(states(next))
        const isOneMore = Array.isArray(choice.value) && choice.value.length > 0 && Array.isArray(choice.entry)
        if ((!isOneMore && seen.has(outcome)) || !(field.name in states(values))) continue
        if (JSON.stringify(states(values)) !== outcome) tried++
        seen.add(outcome)
        await fillIn(form, [choice], labelsOf(screen))
        values = next
        const message = `the fields with ${field.name} ${JSON.stringify(choice.value)}`
        await expect.poll(() => statesIn(form), { message }).toEqual(states(values))
      }
    }
    // A record may already have every choice.
    if (!old) expect(tried, 'choices that change the form').toBeGreaterThan(0)
  })
})
