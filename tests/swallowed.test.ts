/** An ignored error must be intended and say why: this finds those that the lint of empty catch blocks does not. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const meant: Record<string, string> = {
  'engine/client/aheadAnswers.ts': 'whoever takes the answer sends the request again and reports the failure',
  'engine/client/prefetchFirstScreen.ts':
    'the component that renders the data requests it again and reports the failure',
  'engine/client/form.tsx': 'what is wrong is shown at the field; Formily also throws it',
  'engine/client/formModel.ts': 'an answer that never came changes nothing: the server looks for itself',
  'engine/client/usePrefetchScreen.ts': 'whoever opens the screen is told what went wrong',
  'engine/screens/detail/detail.view.tsx': "a count of readers that fails is nobody's concern",
  'engine/server/postgres/connections.ts': 'a server too old to look whether its client is there serves all the same',
  'engine/server/postgres/database.ts': 'whether the extension is there is asked right after',
  'engine/server/postgres/embedded.ts': 'a connection that is closed already is closed',
  'engine/server/accounts/throttle.ts': 'whoever asked is told; the queue only waits for the end',
  'engine/server/files/leftovers.ts': 'what somebody else has removed is removed',
  'engine/widgets/tree/useTreeNodes.ts': 'a level that does not come may be opened again',
  'src/commands/bench/download.ts': 'a download without a body counts as nothing',
  'src/commands/bench/server.ts': 'it is asked again until it answers',
  'src/session/useProductTitle.ts': "the page works without the product's name",
  'src/session/session.ts':
    'the session is forgotten here, whether or not the server hears of it; what was read ahead is told by whoever takes it',
  'src/shell/renameTabs.ts': 'the tabs keep the names that they have',
}

test('every error that is swallowed is one of these', () => {
  const swallows = /\.catch\(\s*(\(\w*\)|\w+)\s*=>\s*(undefined|null|\{\s*\}|Buffer\.alloc\(0\))\s*\)/
  const found = ['engine', 'src']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .filter((name) => swallows.test(readFileSync(name, 'utf8')))
  expect(found.sort()).toEqual(Object.keys(meant).sort())
})
