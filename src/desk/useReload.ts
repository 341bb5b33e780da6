import { errorText, isSilent, RequestError, useClient, useNotices } from '../../engine/client/index.ts'
import { useSchemaRefusal } from './schemaIssues.ts'
import type { SchemaRefusal } from './schemaIssues.ts'
import { useDeskWords } from './words.ts'

/** The permission to make the server reread its schema files. */
export const reloadPermission = 'setting:schema:reload'

/**
 * Makes the server reread its schema files. Valid files are shown like any answer from other files; issues are shown
 * over the page.
 */
export function useReload(): () => Promise<void> {
  const { request, language } = useClient()
  const { message } = useNotices()
  const t = useDeskWords()
  return async () => {
    const { show } = useSchemaRefusal.getState()
    try {
      await request.post('/schemas/reload')
      show(undefined)
      void message.success(t('reloaded'))
    } catch (error) {
      if (isSilent(error)) return
      const { issues = [] } = ((error instanceof RequestError && error.result) || {}) as Partial<SchemaRefusal>
      show({ issues, message: issues.length > 0 ? '' : errorText(error, language) })
    }
  }
}
