/** Generated from the catalog: every form, in every variant, is left empty, filled in, and changed. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { FormField, FormPlan } from '../../engine/screens/form/form.ts'
import { inputs, isReadOnly, isRequired, isSame, isVisible, isWritable } from '../../engine/schema/verdict.ts'
import type { Entity, Field, RecordData, SaveResult, ScreenPlan } from '../../engine/schema/model.ts'
import { detail, list, useDemo } from './app.ts'
import type { Language } from './app.ts'
import { catalog, dictionary, holds, isBelow, languages, screenCases, verdictContext, widgets } from './catalog.ts'
import type { ScreenCase } from './catalog.ts'
import { fillIn, shownIn, shows } from './fields.ts'
import type { Shown } from './fields.ts'
import { beginningOf, fillingFor, fillingsFor, isKept } from './fillings.ts'
import type { Filling } from './fillings.ts'
import { button, confirm, says } from './parts.ts'
import { openedWith, opening, reach } from './reach.ts'
import { recordWhere } from './records.ts'

useDemo()

const forms = screenCases.filter(({ plan }) => plan.kind === 'form' && !isBelow(plan))
const inMode = (...modes: FormPlan['mode'][]) => forms.filter(({ plan }) => modes.includes((plan.body as FormPlan).mode))
const entityOf = ({ plan }: ScreenCase): Entity => catalog.entities[plan.entity!]
const fieldsOf = ({ plan }: ScreenCase): FormField[] => (plan.body as FormPlan).sections.flatMap(({ fields }) => fields)
const words = {
  cn: { enter: '请输入', select: '请选择', upload: '请上传', toCorrect: (n: number) => `${n}项需要修改` },
  en: { enter: 'Please enter ', select: 'Please select ', upload: 'Please upload ', toCorrect: (n: number) => `${n} to correct` },
}

const formOf = (page: Page, { title }: ScreenPlan, language: Language): Locator =>
  page.getByRole('form', { name: title[language], exact: true })
const labelsOf = (screen: ScreenCase) => ({ name, label }: Field): string =>
  fieldsOf(screen).find(({ field }) => field === name)?.label.cn ?? label.cn

/** What the form shows of a record that has these values: field → is it read, required or optional. */
function expectedStates(screen: ScreenCase, values: RecordData, old: RecordData | null): Record<string, Shown['state']> {
  const { mode, sections } = screen.plan.body as FormPlan
  const entity = entityOf(screen)
  const context = verdictContext(old)
  const laid = sections.flatMap(({ fields, visibleWhen }) => holds(visibleWhen, entity, values) ? fields : [])
  return Object.fromEntries(laid.flatMap(({ field: name, readOnly }): [string, Shown['state']][] => {
    const field = entity.fields[name]
    // What the server will make has nothing to show yet.
    const isMade = isWritable(field, widgets) || mode !== 'create' || (values[name] ?? null) !== null
    if (!isMade || !isVisible(entity, field, values, context)) return []
    const isLocked = readOnly || mode === 'read' || isReadOnly(entity, field, values, context)
    return [[name, isLocked ? 'read' : isRequired(entity, field, values, context) ? 'required' : 'optional']]
  }))
}

/** What a new record begins with on this screen, and the record that it is opened with. */
async function beginning(screen: ScreenCase) {
  const { preset } = screen.plan.body as FormPlan
  const opened = await openedWith(screen)
  const referred = screen.plan.parameters.flatMap(({ name }) => opened && catalog.entities[screen.plan.entity!].fields[name] ? [[name, { id: opened.id, name: opened[entityOf(screen).display] }]] : [])
  const given: RecordData = { ...preset, ...Object.fromEntries(referred) }
  return { opened, given: Object.keys(given), start: await beginningOf(entityOf(screen), given) }
}

const statesIn = async (form: Locator) => Object.fromEntries([...await shownIn(form)].map(([name, { state }]) => [name, state]))

/** A record that may be edited; as many of these fields of it as may ever be. */
async function subjectOf(screen: ScreenCase, open: Field[] = []): Promise<RecordData> {
  const entity = entityOf(screen)
  const allowed = (screen.plan.body as FormPlan).mode === 'edit' ? entity.allow.update : true
  const isReached = await opening(screen)
  const isAllowed = (record: RecordData) => (typeof allowed === 'boolean' || holds(allowed, entity, record)) && isReached(record)
  const openIn = (record: RecordData) => open.filter((field) => !isReadOnly(entity, field, record, verdictContext(record))).length
  // Some are closed for good once the record is there.
  const most = Math.max(0, ...(await list(entity.endpoint)).list.filter(isAllowed).map(openIn))
  return recordWhere(entity, (record) => isAllowed(record) && openIn(record) >= most, 'may be edited')
}

/** Saves, and answers what is asked on the way; the id of the record. */
async function save(page: Page, screen: ScreenCase, changed: string[], values: RecordData, old: RecordData | null): Promise<number> {
  const { submit, paths, mode } = screen.plan.body as FormPlan
  const entity = entityOf(screen)
  const path = `/api${mode === 'edit' ? paths.update : paths.create}`
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path)
  await button(formOf(page, screen.plan, 'cn'), submit.cn).click()
  for (const event of entity.saves) {
    const follows = event.on === (old ? 'update' : 'create') && (!event.changed || event.changed.some((name) => changed.includes(name)))
    if (event.confirm && follows && holds(event.when, entity, old ?? values)) await confirm(page, event.confirm.cn, '确定')
  }
  const { code, message, result } = await (await answered).json() as { code: number; message: string; result: SaveResult }
  expect({ code, message }).toMatchObject({ code: 1 })
  await says(page, '保存成功')
  return result.id
}

describe.each(languages)('in %s', (language) => {
  test.each(language === languages[0] ? inMode('create') : inMode('create').filter((_, index) => index % 4 === 0))('$name says what it needs, and leads to the first of it', async (screen) => {
    const { opened, start: values } = await beginning(screen)
    const { page } = await reach(screen, opened, language)
    const entity = entityOf(screen)
    const form = formOf(page, screen.plan, language)
    const states = expectedStates(screen, values, null)
    await expect.poll(() => statesIn(form), { message: 'the fields' }).toEqual(states)
    expect(await form.getByRole('alert').allInnerTexts(), 'nothing is wrong yet').toEqual([])
    const needed = fieldsOf(screen).filter(({ field }) => states[field] === 'required')
    const missing = needed.filter(({ field }) => (values[field] ?? null) === null)
    // One that begins with all that it needs misses what is taken out again.
    const emptied = missing.length > 0 ? undefined : needed.find(({ field }) => widgets[entity.fields[field].type].prompt === 'enter')
    if (emptied) {
      await form.getByRole('textbox', { name: emptied.label[language], exact: true }).fill('')
      missing.push(emptied)
    }
    await button(form, (screen.plan.body as FormPlan).submit[language]).click()
    expect(missing.length, 'required fields').toBeGreaterThan(0)
    const say = words[language]
    await expect.poll(() => form.getByRole('alert').allInnerTexts()).toEqual([
      ...missing.map(({ field, label }) => say[widgets[entity.fields[field].type].prompt] + label[language]), say.toCorrect(missing.length),
    ])
    const focused = () => page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset.field)
    await expect.poll(focused, { message: 'the field that has the focus' }).toBe(missing[0].field)
  })
})

// What a procedure suggests fits together: its own journey makes it.
test.each(inMode('create').filter((screen) => !entityOf(screen).suggests))('$name makes the record that is filled in', async (screen) => {
  const { opened, given, start } = await beginning(screen)
  const { page } = await reach(screen, opened)
  const entity = entityOf(screen)
  const form = formOf(page, screen.plan, 'cn')
  // What is copied of another record stays as it is, but for what tells the two apart.
  const copied = entity.copies && given.includes(entity.copies.by) ? entity.copies.fields.filter((name) => (start[name] ?? null) !== null) : undefined
  const isOpen = (name: string) => !given.includes(name) && (!copied || (start[name] ?? null) === null || name === entity.display)
  const names = fieldsOf(screen).filter(({ field, readOnly }) => !readOnly && isOpen(field)).map(({ field }) => field)
  const fillings = await fillingsFor(entity, names, start)
  await fillIn(form, fillings, labelsOf(screen))
  const values = { ...start, ...Object.fromEntries(fillings.map(({ field, value }) => [field.name, value])) }
  // What is worked out appears with what it is worked out from, which a procedure may have suggested.
  const typed = (states: Record<string, Shown['state']>) => Object.fromEntries(Object.entries(states).filter(([name]) => !entity.fields[name].computed))
  await expect.poll(async () => typed(await statesIn(form)), { message: 'the fields' }).toEqual(typed(expectedStates(screen, values, null)))
  const record = await detail(entity.endpoint, await save(page, screen, names, values, null))
  const lost = fillings.filter((filling) => !isKept(filling, record))
  expect(lost.map(({ field, value }) => [field.name, value, record[field.name]]), 'what was put in and is not kept').toEqual([])
  const isRows = (name: string) => widgets[entity.fields[name].type].target?.(entity.fields[name].options)?.rows !== undefined
  const changed = (copied ?? []).filter((name) => isVisible(entity, entity.fields[name], values, verdictContext()) && !isRows(name) && !names.includes(name) && !isSame(entity.fields[name], start[name], record[name], widgets))
  expect(changed, 'what was copied and is not kept').toEqual([])
})

test.each(inMode('edit', 'read'))('$name shows the record', async (screen) => {
  const entity = entityOf(screen)
  const record = await subjectOf(screen)
  const form = formOf((await reach(screen, record)).page, screen.plan, 'cn')
  await expect.poll(() => statesIn(form), { message: 'the fields' }).toEqual(expectedStates(screen, record, record))
  const missing = async () => {
    const shown = await shownIn(form)
    return [...shown.keys()].filter((name) => (record[name] ?? null) !== null && !shows(entity.fields[name], record[name]!, shown.get(name)))
  }
  await expect.poll(missing, { message: 'values that are not shown' }).toEqual([])
})

test.each(inMode('edit'))('$name changes one field and keeps the others', async (screen) => {
  const entity = entityOf(screen)
  const record = await subjectOf(screen)
  const { page } = await reach(screen, record)
  const form = formOf(page, screen.plan, 'cn')
  const field = simplest(screen, record)
  const filling = await fillingFor(entity, field, { not: record[field.name], fresh: field.unique || field.uniqueWithin !== undefined })
  await fillIn(form, [filling], labelsOf(screen))
  const values = { ...record, [field.name]: filling.value }
  const id = await save(page, screen, [field.name], values, record)
  expect(id).toBe(record.id)
  const after = await detail(entity.endpoint, id)
  expect(isKept(filling, after), `${field.name}: ${JSON.stringify(after[field.name])}`).toBe(true)
  expect(after.revision).toBeGreaterThan(record.revision!)
  const others = fieldsOf(screen).map((each) => entity.fields[each.field]).filter(({ name, computed }) => name !== field.name && !computed)
  expect(others.filter((other) => !isSame(other, record[other.name], after[other.name], widgets)).map(({ name }) => name)).toEqual([])
})

/** The field that is typed into and that the least depends on. */
function simplest(screen: ScreenCase, record: RecordData): Field {
  const entity = entityOf(screen)
  const states = expectedStates(screen, record, record)
  const read = new Set([
    ...Object.values(entity.fields).flatMap((field) => conditionsOf(field)).flatMap((condition) => inputs(condition, entity)),
    ...entity.saves.flatMap(({ changed }) => changed ?? []),
  ])
  const isTyped = ({ type, options }: Field) => {
    const { prompt, protect, target, html } = widgets[type]
    return prompt === 'enter' && !protect && !html && !target?.(options)
  }
  const able = Object.keys(states).filter((name) => states[name] !== 'read').map((name) => entity.fields[name])
  const weight = (field: Field) => {
    const { files, target } = widgets[field.type]
    return [!isTyped(field), target?.(field.options)?.rows, files, read.has(field.name), field.unique || field.uniqueWithin, field.sensitive]
      .reduce<number>((sum, fault) => sum * 2 + Number(Boolean(fault)), 0)
  }
  if (able.length === 0) throw new Error(`${screen.name}: no field can be changed`)
  return able.reduce((a, b) => weight(b) < weight(a) ? b : a)
}

const conditionsOf = ({ visibleWhen, requiredWhen, readOnlyWhen }: Field): string[] =>
  [visibleWhen, requiredWhen, readOnlyWhen].filter((condition) => condition !== undefined)

describe('fields come, go and are required as other fields say:', () => {
  /** The fields of the form that its conditions read. */
  function decidersOf(screen: ScreenCase): Field[] {
    const entity = entityOf(screen)
    const conditions = [
      ...fieldsOf(screen).flatMap(({ field }) => conditionsOf(entity.fields[field])),
      ...(screen.plan.body as FormPlan).sections.flatMap(({ visibleWhen }) => visibleWhen ?? []),
    ]
    const read = new Set(conditions.flatMap((condition) => inputs(condition, entity)))
    return fieldsOf(screen).filter(({ field, readOnly }) => read.has(field) && !readOnly).map(({ field }) => entity.fields[field])
      .filter((field) => isWritable(field, widgets))
  }

  async function choicesOf(entity: Entity, field: Field, values: RecordData): Promise<Filling[]> {
    const { dictionary: named, expression } = widgets[field.type]
    if (expression === 'boolean') return [true, false].map((value) => ({ field, value, entry: String(value) }))
    if (named && expression === 'list<string>') {
      // What is chosen stays chosen: each comes beside the others.
      const chosen = (values[field.name] ?? []) as string[]
      const others = dictionary(named(field.options)!).choices.filter(({ value, disabled }) => !disabled && !chosen.includes(value))
      return others.map(({ label }, index) => ({ field, value: [...chosen, ...others.slice(0, index + 1).map(({ value }) => value)], entry: [label.cn] }))
    }
    if (!named || expression !== 'string') return [await fillingFor(entity, field, { not: values[field.name] })]
    return dictionary(named(field.options)!).choices.filter(({ disabled }) => !disabled)
      .map(({ value, label }) => ({ field, value, entry: label.cn }))
  }

  test.each(inMode('create', 'edit').filter((screen) => decidersOf(screen).length > 0))('$name', async (screen) => {
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
        if (!isOneMore && seen.has(outcome) || !(field.name in states(values))) continue
        if (JSON.stringify(states(values)) !== outcome) tried++
        seen.add(outcome)
        await fillIn(form, [choice], labelsOf(screen))
        values = next
        const message = `the fields with ${field.name} ${JSON.stringify(choice.value)}`
        await expect.poll(() => statesIn(form), { message }).toEqual(states(values))
      }
    }
    // A record may have all that there is to choose.
    if (!old) expect(tried, 'choices that change the form').toBeGreaterThan(0)
  })
})
