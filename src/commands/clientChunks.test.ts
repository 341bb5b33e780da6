import { expect, test } from 'vitest'
import { clientChunks } from './clientChunks.ts'

const chunk = (fileName: string, moduleIds: string[], imports: string[] = []) => ({
  type: 'chunk',
  fileName,
  imports,
  moduleIds: moduleIds.map((id) => `/app/${id}`),
})
const built = [
  {
    output: [
      chunk('index.js', ['src/main.tsx'], ['react.js']),
      chunk('react.js', ['node_modules/react/index.js']),
      chunk('login.js', ['src/session/Login.tsx'], ['react.js', 'words.js']),
      chunk('words.js', ['engine/words.ts'], ['react.js']),
      chunk('workspace.js', ['src/shell/Workspace.tsx', 'src/shell/tabs.ts'], ['react.js', 'words.js', 'antd.js']),
      chunk('antd.js', ['node_modules/antd/button.js'], ['react.js', 'workspace.js']),
      chunk(
        'list.js',
        ['engine/screens/list/list.view.tsx', 'engine/screens/list/list.css'],
        ['antd.js', 'state.js', 'words.js'],
      ),
      chunk('state.js', ['engine/screens/list/listState.ts'], ['workspace.js']),
      chunk('picker.js', ['node_modules/antd/picker.js'], ['antd.js']),
      chunk('filterControls.js', ['engine/client/filterControls.tsx', 'node_modules/antd/select.js'], ['antd.js']),
      chunk('commonViews.js', ['engine/widgets/commonViews.ts'], ['antd.js']),
      chunk('overlays.js', ['engine/client/antdOverlays.ts', 'node_modules/antd/modal.js'], ['antd.js']),
      { type: 'asset', fileName: 'index.css' },
    ],
  },
] as never

/** The group of a module; modules without one are left to the bundler. */
function groupOf(id: string): string | undefined {
  const { groups } = clientChunks(built)
  return groups
    .toSorted((a, b) => b.priority! - a.priority!)
    .map(({ name, test: holds }) => ((holds as (id: string) => boolean)(`/app/${id}`) ? String(name) : undefined))
    .find((name) => name !== undefined)
}

test.each([
  ['src/main.tsx', 'page'],
  ['node_modules/react/index.js', 'page'],
  ['engine/words.ts', 'page'],
  ['node_modules/antd/button.js', 'libraries'],
  ['src/shell/Workspace.tsx', 'frame'],
  ['src/shell/tabs.ts', 'frame'],
  ['engine/screens/list/list.view.tsx', 'list.view'],
  ['engine/screens/list/listState.ts', 'list.view'],
  ['node_modules/antd/select.js', 'controls'],
  ['engine/widgets/commonViews.ts', 'controls'],
  ['node_modules/antd/modal.js', 'controls'],
  ['engine/screens/list/list.css', 'frame'],
  ['src/session/Login.tsx', undefined],
  ['node_modules/antd/picker.js', undefined],
])('%s goes into %s', (id, name) => {
  expect(groupOf(id)).toBe(name)
})

test('reports a build without the frame', () => {
  expect(() => clientChunks([])).toThrow('The build does not have src/main.tsx.')
})
