import type { WidgetView } from '../../client/view.ts'
import { textEdit, TextFilter } from '../text/text.view.tsx'
import { bankaccount, filterDigits } from './bankaccount.ts'

export const bankaccountView: WidgetView = {
  Edit: textEdit(bankaccount, { inputMode: 'numeric', filter: filterDigits }),
  Filter: TextFilter,
}
