/** An ignored error must be intended and give a reason. Finds those that the lint of empty catch blocks misses. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const meant: Record<string, string> = {
  'engine/client/prefetchedAnswers.ts': 'whoever takes the answer sends the request again and reports the failure',
  'engine/client/prefetchFirstScreen.ts':
    'the component that renders the data requests it again and reports the failure',
  'engine/client/formilyNodes.ts': 'what is wrong is shown at the field; Formily also throws it',
  'engine/client/formAnswers.ts': 'an answer that never came changes nothing: the server looks for itself',
  'engine/client/followJob.tsx': 'a preview that goes on unseen changes nothing',
  'engine/client/usePrefetchScreen.ts': 'whoever opens the screen sees what went wrong',
  'engine/screens/detail/detail.view.tsx': "a count of readers that fails is nobody's concern",
  'engine/server/postgres/connections.ts': 'a server too old to look whether its client is there serves all the same',
  'engine/server/postgres/database.ts': 'whether the extension is there is checked right after',
  'engine/server/postgres/acquire.ts': 'a connection that is closed already is closed',
  'engine/server/postgres/embedded.ts': 'a connection that is closed already is closed',
  'engine/server/accounts/throttle.ts': 'the caller gets the error; the queue only waits for the end',
  'engine/server/files/leftovers.ts': 'what somebody else has removed is removed',
  'engine/widgets/tree/useTreeNodes.ts': 'a level that does not come may be opened again',
  'src/procedures/print/layOut.ts': 'the caller gets the error; the next document only waits for the end',
  'src/commands/bench/download.ts': 'a download without a body counts as nothing',
  'src/commands/bench/server.ts': 'it is called again until it answers',
  'src/session/useProductTitle.ts': "the page works without the product's name",
  'src/session/session.ts':
    'the session is forgotten here, whether or not the server hears of it; whoever takes what was read ahead reports it',
  'src/shell/renameTabs.ts': 'the tabs keep the names that they have',
}

/** `catch` blocks with only a comment, with one reason each, because the lint accepts any comment. */
const meantBlocks: Record<string, string[]> = {
  'engine/client/requestKeys.ts': ['without storage the keys last as long as the page'],
  'engine/server/postgres/binaries.ts': ['that nothing was found is an error of its own, right after'],
  'engine/server/postgres/socketFolder.ts': [
    'a folder that is not empty is in use, and one that is gone is gone',
    'a folder that is gone or belongs to somebody else is theirs to remove',
  ],
  'src/cachedCatalog.ts': ['what is not kept is compiled'],
  'src/commands/schemas/verdicts.ts': ['what is not kept is checked', 'what cannot be kept is checked again'],
}

const remark = String.raw`(?:\s|//[^\n]*|/\*[\s\S]*?\*/)*`
const swallows = new RegExp(
  String.raw`\.catch\(\s*(?:\(\w*\)|\w+)\s*=>\s*(?:undefined|null|\{${remark}\}|Buffer\.alloc\(0\))\s*\)`,
)
const blocks = new RegExp(String.raw`\bcatch\s*(?:\([^)]*\))?\s*\{${remark}\}`, 'g')

const sources = ['engine', 'src']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => ({ name, text: readFileSync(name, 'utf8') }))

test('every swallowed error is listed', () => {
  const found = sources.filter(({ text }) => swallows.test(text)).map(({ name }) => name)
  expect(found.sort()).toEqual(Object.keys(meant).sort())
})

test('every empty catch block is listed', () => {
  const found = sources.map(({ name, text }) => [name, text.match(blocks)?.length ?? 0] as const)
  const listed = Object.entries(meantBlocks).map(([name, reasons]) => [name, reasons.length] as const)
  expect(Object.fromEntries(found.filter(([, count]) => count > 0))).toEqual(Object.fromEntries(listed))
})

test.each([
  ['a block', 'try { a() } catch {\n  // Gone.\n}', 1],
  ['a block with the error', 'try { a() } catch (error) { /* Gone. */ }', 1],
  ['a block that reports', 'try { a() } catch { log() }', 0],
  ['two', 'try { a() } catch {}\ntry { b() } catch {\n  // Here.\n  /* And here. */\n}', 2],
])('empty catch blocks are counted: %s', (_, text, count) => expect(text.match(blocks)?.length ?? 0).toBe(count))

test.each(['a.catch(() => undefined)', 'a.catch(() => {\n  // Gone.\n})', 'a.catch((error) => {})'])(
  '%s is found',
  (text) => expect(swallows.test(text)).toBe(true),
)
