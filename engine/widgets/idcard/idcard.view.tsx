import type { WidgetView } from '../../client/view.ts'
import { textEdit, TextFilter } from '../text/text.view.tsx'
import { idcard } from './idcard.ts'

export const idcardView: WidgetView = { Edit: textEdit(idcard), Filter: TextFilter }
