import { App } from 'antd'
import { useRef, useState } from 'react'
import type { CallResult, Conflict, FieldProblem, Label, SaveRequest, SaveResult, WireProblem } from '../model/model.ts'
import { type Answer, outcomeOf } from './callAndFollow.ts'
import type { FormModel } from './form.tsx'
import { asking, followsAnyway } from './formPlan.ts'
import { useFormWords } from './formWords.ts'
import { useClient } from './frame.ts'
import { questionOf } from './questionOf.ts'
import { isSettled, requestKeys } from './requestKeys.ts'
import { reportError } from './reportResult.tsx'
import { errorText, isSilent, RequestError } from './request.ts'
import { useEngine } from './view.ts'
import { useWords } from './words.ts'

export interface SavingOptions {
  path: string
  /** Has the user the permission to save? */
  granted: boolean
  /** What is said of it, if not that it is saved. */
  saved?: string
  /** Is it a cell of a list? */
  cell?: true
  /** It is saved, or there was nothing to save. */
  done(changed: boolean): void
}

type Saved = SaveResult & Pick<CallResult, 'told'>

/** Runs after a save, with the record as saved. */
type Follow = (id: number, revision: number) => Promise<void>

export interface Saving {
  busy: boolean
  /** It was tried: from now on the form says how much is wrong. */
  attempted: boolean
  /** What is wrong at no field that is shown. */
  elsewhere: FieldProblem[]
  /** Why the last attempt failed, where no field says it. */
  failure: string | undefined
  conflict: Conflict | undefined
  /** @param follow what it refuses leaves the record as it was saved */
  submit(follow?: Follow): Promise<void>
  /**
   * Of the fields in conflict, these are taken as the other user left them, the others as they stand here; then it is
   * saved again.
   */
  settle(theirs: readonly string[]): Promise<void>
  dismiss(): void
}

/**
 * Saves a form: judges it, asks what there is to ask, sends what is new, and shows what the server says to it. Nothing
 * typed is lost.
 */
export function useSaving(model: FormModel, { path, granted, saved, cell, done }: SavingOptions): Saving {
  const { request, announce, language } = useClient()
  const engine = useEngine()
  const words = useWords()
  const own = useFormWords()
  const app = App.useApp()
  const { message, modal } = app
  const [busy, setBusy] = useState(false)
  const [attempted, setAttempted] = useState(false)
  const [elsewhere, setElsewhere] = useState<FieldProblem[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [conflict, setConflict] = useState<Conflict>()
  const running = useRef(false)
  // Kept until an attempt is answered: if it was saved after all, a retry must not save it twice.
  const key = useRef<string>(undefined)
  const { entity, source } = model
  function settled() {
    if (key.current) requestKeys.answered(key.current)
    key.current = undefined
  }

  const ask = async (question: Label): Promise<boolean> =>
    await modal.confirm({
      title: questionOf(question, entity, [model.values()], engine),
      okText: words('ok'),
      cancelText: words('cancel'),
    })

  /** Shows problems; true where there are none. */
  function isGood(problems: readonly FieldProblem[]): boolean {
    setElsewhere(problems.filter((problem) => !model.shows(problem)))
    const first = problems.find(model.shows)
    if (first) model.focus(first.field)
    return problems.length === 0
  }

  async function followed(id: number, revision: number, follow: Follow | undefined) {
    try {
      await follow?.(id, revision)
    } catch (error) {
      reportError({ message }, words, error)
    }
  }

  async function save(follow?: Follow) {
    setAttempted(true)
    setFailure(undefined)
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
      if (!(await ask(question))) return
    }
    const sent: SaveRequest = isNew ? { values } : { id: source.old!.id, revision: model.revision, values, cell }
    key.current ??= requestKeys.keyOf(path, sent)
    const answer = await request.post<Answer<Saved>>(path, sent, { key: key.current, follows: true })
    settled()
    const { id, revision, password, told } = await outcomeOf({ app, language, request }, answer)
    // Stopped on its way.
    if (told) return void message.info(engine.text(told))
    model.saved(values)
    // One at a time, however fast one is saved after the other.
    void message.success({ key: 'saved', content: saved ?? own('saved') })
    await followed(id, revision, follow)
    announce(entity.name)
    if (password !== undefined) {
      const { tellPasswords } = await import('./tellPasswords.tsx')
      await tellPasswords({ modal }, words, [{ name: String(values[entity.code ?? entity.display] ?? id), password }])
    }
    done(true)
  }

  function refused(error: unknown) {
    if (error instanceof RequestError && isSettled(error.code)) settled()
    if (isSilent(error)) return
    if (error instanceof RequestError && error.conflict) return setConflict(error.conflict)
    if (error instanceof RequestError && error.errors.length > 0) {
      const problems = error.errors.map(problemOf)
      model.show(problems)
      return void isGood(problems)
    }
    setFailure(error)
  }

  async function submit(follow?: Follow) {
    if (!granted) return void message.error(words('noPermission'))
    if (running.current) return
    running.current = true
    setBusy(true)
    try {
      await save(follow)
    } catch (error) {
      refused(error)
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  return {
    busy,
    attempted,
    elsewhere,
    conflict,
    submit,
    failure: failure === undefined ? undefined : errorText(failure, language) || words('error'),
    settle(theirs) {
      const { fields, revision } = conflict!
      model.rebase(
        Object.fromEntries(Object.entries(fields).map(([name, { theirs: value }]) => [name, value])),
        revision,
        theirs,
      )
      setConflict(undefined)
      return submit()
    },
    dismiss: () => setConflict(undefined),
  }
}

/** A back end that is not ours may speak the language of the request only. */
const problemOf = ({ field, code, message, texts = { cn: message, en: message } }: WireProblem): FieldProblem => ({
  field,
  code,
  message: texts,
})
