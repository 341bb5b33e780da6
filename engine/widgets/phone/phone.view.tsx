import type { WidgetView } from '../../client/view.ts'
import { textEdit, TextFilter } from '../text/text.view.tsx'
import { phone } from './phone.ts'

export const phoneView: WidgetView = { Edit: textEdit(phone, { inputMode: 'tel' }), Filter: TextFilter }
