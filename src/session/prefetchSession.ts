import { prefetchedAnswers } from '../../engine/client/prefetchedAnswers.ts'
import { baseHeaders, baseParameters } from '../../engine/client/baseRequest.ts'
import { localeOf } from '../../engine/model/language.ts'
import { language } from './language.ts'
import { isInUse, readUserAhead } from './session.ts'
import { token } from './token.ts'

/**
 * Requests what every page of a signed-in user begins with, while the frame and its libraries are still loading. Each
 * answer is taken by the code that needs it; a failure is reported there.
 * @param route the path of the open address
 */
export function prefetchSession(route: string): void {
  readUserAhead()
  // A user who must first change a password is refused everything else.
  if (!isInUse()) return
  const send = senderOf(token())
  send('/plans/app', { route })
  send('/partner-menu/get-user-menus')
  send('/partner-menu/get-user-nav-menu', { badges: 'later' })
}

const senderOf =
  (mine: string) =>
  (path: string, parameters: Record<string, string> = {}): void => {
    const sender = { token: mine, language: localeOf(language.get()) }
    const { timestamp, ...base } = baseParameters(sender)
    const query = new URLSearchParams({ ...parameters, timestamp: String(timestamp), ...base })
    const answer = fetch(`/api${path}?${query}`, { headers: baseHeaders(sender) }).then(async (response) => ({
      data: await response.json(),
      headers: Object.fromEntries(response.headers),
    }))
    prefetchedAnswers.keep({ ...sender, path, parameters }, answer)
  }
