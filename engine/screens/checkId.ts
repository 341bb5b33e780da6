import type { AssembleScope, ScreenFile } from '../model/model.ts'

/** A screen of one record needs the parameter `id`. */
export function checkId(parameters: ScreenFile['parameters'], scope: AssembleScope): void {
  if (parameters.some(({ name }) => name === 'id')) return
  scope.issue('missing-parameter', '/parameters', { screen: 'of one record', found: 'id' })
}
