import type { Rolldown } from 'vite'

const [page, signIn, frame, list] = [
  'src/main.tsx',
  'src/session/Login.tsx',
  'src/shell/Workspace.tsx',
  'engine/screens/list/list.view.tsx',
]
/** What a list loads once its rows are drawn: the controls of its filters, and menus. */
const controls = ['engine/client/filterControls.tsx', 'engine/widgets/commonViews.ts', 'engine/client/antdOverlays.ts']

/**
 * Derives chunk groups for the next build from one without groups. What the page and the frame always need is one file
 * each, and so is what a list needs beside them; the frame's libraries are another, which stays the same over many
 * releases. The bundler alone would make some fifty files, one for each set of screens that share a module. Modules that
 * only some screens need are left to it.
 */
export function clientChunks(built: readonly Rolldown.RolldownOutput[]): {
  groups: Rolldown.CodeSplittingGroup[]
  includeDependenciesRecursively: boolean
} {
  const chunks = built.flatMap(({ output }) => output).filter((each) => each.type === 'chunk')
  const [ofPage, ofSignIn, ofFrame, ofList] = [page, signIn, frame, list].map((file) => modulesOf(file, chunks))
  const ofControls = new Set(controls.flatMap((file) => [...modulesOf(file, chunks)]))
  const onlyFrame = (id: string) => ofFrame.has(id) && !ofPage.has(id)
  return {
    // The first build has already followed them, and leaves out what is imported but not used.
    includeDependenciesRecursively: false,
    groups: [
      // What both the sign-in page and the frame need is always loaded, as the bundler's own helpers are.
      {
        name: 'page',
        test: (id) => ofPage.has(id) || (ofFrame.has(id) && ofSignIn.has(id)) || id.includes('rolldown/runtime'),
        priority: 5,
      },
      { name: 'libraries', test: (id) => onlyFrame(id) && id.includes('/node_modules/'), priority: 3 },
      // The styles of a list are few, and most of what users open are lists: one request less.
      { name: 'frame', test: (id) => onlyFrame(id) || (ofList.has(id) && id.endsWith('.css')), priority: 2 },
      { name: 'list.view', test: (id) => ofList.has(id) && !ofPage.has(id) && !ofFrame.has(id), priority: 1 },
      { name: 'controls', test: (id) => ofControls.has(id), priority: 0 },
    ],
  }
}

/** The modules loaded for this one: those of its chunk, and of all that are imported with it. */
function modulesOf(file: string, chunks: readonly Rolldown.OutputChunk[]): ReadonlySet<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const begin = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${file}`)))
  if (!begin) throw new Error(`The build does not have ${file}.`)
  const found = new Set<Rolldown.OutputChunk>()
  const open = [begin]
  for (let chunk = open.pop(); chunk; chunk = open.pop()) {
    if (found.has(chunk)) continue
    found.add(chunk)
    open.push(...chunk.imports.flatMap((name) => byName.get(name) ?? []))
  }
  return new Set([...found].flatMap(({ moduleIds }) => moduleIds))
}
