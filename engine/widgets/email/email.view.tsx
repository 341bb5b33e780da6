import type { WidgetView } from '../../client/view.ts'
import { textEdit, TextFilter } from '../text/text.view.tsx'
import { email } from './email.ts'

export const emailView: WidgetView = { Edit: textEdit(email, { inputMode: 'email' }), Filter: TextFilter }
