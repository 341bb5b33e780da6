import { useEffect } from 'react'
import type { MouseEvent } from 'react'
import { textIn } from '../model/language.ts'
import type { ScreenPlan } from '../model/model.ts'
import { useAppBundle } from './AppBundle.tsx'
import { useClient } from './frame.ts'
import type { ScreenFrame } from './frame.ts'
import { useWords } from './words.ts'

/** Explains that a screen cannot show what was requested, and offers the list instead. */
export function ScreenProblem({ plan, frame, message }: { plan: ScreenPlan; frame: ScreenFrame; message: string }) {
  const words = useWords()
  const { href, language } = useClient()
  const parent = useAppBundle().screens.find(({ name }) => name === plan.parent)
  const route = parent?.route
  const { setBusy } = frame
  useEffect(() => {
    setBusy(false)
  }, [message, setBusy])
  return (
    <div className="screen-problem" role="alert">
      {frame.place === 'page' && <h1>{textIn(plan.title, language)}</h1>}
      <p>{message}</p>
      {parent && route && (
        <p>
          {words('chooseFrom')}
          <a href={href(route)} onClick={(event) => follow(event, frame, route)}>
            {textIn(parent.title, language)}
          </a>
        </p>
      )}
    </div>
  )
}

/** A plain click on a link stays inside the app; with a modifier key the browser's default applies. */
export function follow(event: MouseEvent, frame: Pick<ScreenFrame, 'navigate'>, to: string) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  event.preventDefault()
  frame.navigate(to)
}
