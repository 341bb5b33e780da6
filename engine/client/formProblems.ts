import { useState } from 'react'
import type { Conflict, FieldProblem, WireProblem } from '../model/model.ts'
import type { FormModel } from './form.tsx'
import { useClient } from './frame.ts'
import { errorText, isSilent, RequestError } from './RequestError.ts'
import { useWords } from './words.ts'

/** The problems of the last attempt to save, as the form shows them. */
export function useFormProblems(model: FormModel) {
  const { language } = useClient()
  const words = useWords()
  const [attempted, setAttempted] = useState(false)
  const [elsewhere, setElsewhere] = useState<FieldProblem[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [conflict, setConflict] = useState<Conflict>()

  /** Shows problems. @returns whether there are none. */
  function isGood(problems: readonly FieldProblem[]): boolean {
    setElsewhere(problems.filter((problem) => !model.shows(problem)))
    const first = problems.find(model.shows)
    if (first) model.focus(first.field)
    return problems.length === 0
  }

  return {
    attempted,
    elsewhere,
    conflict,
    failure: failure === undefined ? undefined : errorText(failure, language) || words('error'),
    isGood,
    begin() {
      setAttempted(true)
      setFailure(undefined)
    },
    refused(error: unknown) {
      if (isSilent(error)) return
      if (error instanceof RequestError && error.conflict) return setConflict(error.conflict)
      if (error instanceof RequestError && error.errors.length > 0) {
        const problems = error.errors.map(problemOf)
        model.show(problems)
        return void isGood(problems)
      }
      setFailure(error)
    },
    /** Takes the other user's values of these fields of the conflict, and keeps the form's values of the others. */
    rebase(theirs: readonly string[]) {
      const { fields, revision } = conflict!
      model.rebase(
        Object.fromEntries(Object.entries(fields).map(([name, { theirs: value }]) => [name, value])),
        revision,
        theirs,
      )
      setConflict(undefined)
    },
    dismiss: () => setConflict(undefined),
  }
}

/** Another server may answer only in the language of the request. */
const problemOf = ({ field, code, message, texts = { cn: message, en: message } }: WireProblem): FieldProblem => ({
  field,
  code,
  message: texts,
})
