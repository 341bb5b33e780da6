import { useNotices } from './notices.tsx'
import { createElement, useRef, useState } from 'react'
import type { CallResult, Conflict, FieldProblem, Label, SaveRequest, SaveResult } from '../model/model.ts'
import { answersOf } from './actions/answersOf.ts'
import { type Answer, outcomeOf } from './callAndFollow.ts'
import type { FormModel } from './form.tsx'
import { factsOf } from './factsOf.ts'
import { asking, followsAnyway } from './formPlan.ts'
import { useFormProblems } from './formProblems.ts'
import { useFormWords } from './formWords.ts'
import { useClient } from './frame.ts'
import { questionOf } from './questionOf.ts'
import { isSettled } from './requestKeys.ts'
import { RecordFacts } from './RecordFacts.tsx'
import { reportError } from './reportResult.tsx'
import { RequestError } from './RequestError.ts'
import { useConfirm } from './useConfirm.ts'
import { useRequestKey } from './useRequestKey.ts'
import { useEngine } from './view.ts'
import { useWords } from './words.ts'

export interface SavingOptions {
  path: string
  granted: boolean
  /** The label of the button that saves, if not the default. */
  label?: string
  /** The message after a save, if not the default. */
  saved?: string
  /** Set for a cell of a list. */
  cell?: true
  /** Called once the record is saved, or if there was nothing to save. */
  done(changed: boolean): void
}

type Saved = SaveResult & Pick<CallResult, 'summary'>

/** Runs after a save, with the record as saved. */
type Follow = (id: number, revision: number) => Promise<void>

export interface Saving {
  busy: boolean
  /** Whether the user has tried to save; from then on the form counts its problems. */
  attempted: boolean
  /** Problems that belong to no visible field. */
  elsewhere: FieldProblem[]
  /** Why the last attempt failed, if no field reports it. */
  failure: string | undefined
  conflict: Conflict | undefined
  /** @param follow if it fails, the record stays as it was saved */
  submit(follow?: Follow): Promise<void>
  /** Takes the other user's values of these fields of the conflict, keeps the others, and saves again. */
  settle(theirs: readonly string[]): Promise<void>
  dismiss(): void
}

/**
 * Saves a form: validates it, asks for confirmation, sends the changes, and shows the answer. No input is ever lost.
 */
export function useSaving(model: FormModel, { path, granted, label, saved, cell, done }: SavingOptions): Saving {
  const { request, announce, language } = useClient()
  const engine = useEngine()
  const words = useWords()
  const own = useFormWords()
  const app = useNotices()
  const { message } = app
  const confirm = useQuestion(model, label)
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const key = useRequestKey(path)
  const { isGood, begin, refused, rebase, ...problems } = useFormProblems(model)
  const { entity, source } = model

  async function followed(id: number, revision: number, follow: Follow | undefined) {
    try {
      await follow?.(id, revision)
    } catch (error) {
      reportError({ message }, words, error)
    }
  }

  async function save(follow?: Follow) {
    begin()
    if (!isGood(await model.check())) return
    const values = model.written()
    const changed = Object.keys(values)
    const isNew = source.old === null
    if (!isNew && changed.length === 0 && !followsAnyway(entity.saves, model.applies)) {
      if (!follow) void message.info(own('nothingChanged'))
      await followed(source.old!.id!, model.revision!, follow)
      return done(follow !== undefined)
    }
    for (const question of asking(entity.saves, isNew ? 'create' : 'update', changed, model.applies)) {
      if (!(await confirm(question))) return
    }
    const sent: SaveRequest = isNew ? { values } : { id: source.old!.id, revision: model.revision, values, cell }
    const answer = await request.post<Answer<Saved>>(path, sent, { key: key.keyOf(sent), follows: true })
    key.answered()
    const { id, revision, password, summary } = await outcomeOf({ app, language, request }, answer)
    // The user cancelled the job.
    if (summary) return void message.info(engine.text(summary))
    model.saved(values)
    // The key keeps quick saves from piling up messages.
    void message.success({ key: 'saved', content: saved ?? own('saved') })
    await followed(id, revision, follow)
    announce(entity.name)
    if (password !== undefined) {
      const { showPasswords } = await import('./showPasswords.tsx')
      await showPasswords(app, words, [{ name: String(values[entity.code ?? entity.display] ?? id), password }])
    }
    done(true)
  }

  async function submit(follow?: Follow) {
    if (!granted) return void message.error(words('noPermission'))
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await save(follow)
    } catch (error) {
      if (error instanceof RequestError && isSettled(error.code)) key.answered()
      refused(error)
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return {
    ...problems,
    busy,
    submit,
    settle(theirs) {
      rebase(theirs)
      return submit()
    },
  }
}

/** Asks a question about the record as it would be saved. */
function useQuestion(model: FormModel, label: string | undefined): (question: Label) => Promise<boolean> {
  const engine = useEngine()
  const words = useWords()
  const own = useFormWords()
  const confirm = useConfirm()
  const { entity } = model
  return async (question) => {
    const records = [model.values()]
    return await confirm({
      title: questionOf(question, entity, records, engine),
      content: createElement(RecordFacts, { facts: factsOf(words, engine, { entity, records }) }),
      ...answersOf(label ?? own('save'), words),
    })
  }
}
