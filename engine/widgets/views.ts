/** All field types: the React halves. Heavy ones are functions, loaded on first render. */
import type { WidgetView } from '../client/view.ts'
import { bankaccountView } from './bankaccount/bankaccount.view.tsx'
import { booleanView } from './boolean/boolean.view.tsx'
import { choiceView } from './choice/choice.view.tsx'
import { choicesView } from './choices/choices.view.tsx'
import { decimalView } from './decimal/decimal.view.tsx'
import { emailView } from './email/email.view.tsx'
import { idcardView } from './idcard/idcard.view.tsx'
import { integerView } from './integer/integer.view.tsx'
import { moneyView } from './money/money.view.tsx'
import { numberSeriesView } from './number-series/number-series.view.tsx'
import { passwordView } from './password/password.view.tsx'
import { percentView } from './percent/percent.view.tsx'
import { phoneView } from './phone/phone.view.tsx'
import { referenceView } from './reference/reference.view.tsx'
import { referencesView } from './references/references.view.tsx'
import { secretView } from './secret/secret.view.tsx'
import { textView } from './text/text.view.tsx'
import { textareaView } from './textarea/textarea.view.tsx'
import { textsView } from './texts/texts.view.tsx'
import { usccView } from './uscc/uscc.view.tsx'

export const widgetViews: Record<string, WidgetView | (() => Promise<WidgetView>)> = {
  bankaccount: bankaccountView,
  boolean: booleanView,
  choice: choiceView,
  choices: choicesView,
  date: async () => (await import('./date/date.view.tsx')).dateView,
  datetime: async () => (await import('./datetime/datetime.view.tsx')).datetimeView,
  decimal: decimalView,
  email: emailView,
  file: async () => (await import('./file/file.view.tsx')).fileView,
  idcard: idcardView,
  image: async () => (await import('./image/image.view.tsx')).imageView,
  integer: integerView,
  json: async () => (await import('./json/json.view.tsx')).jsonView,
  money: moneyView,
  month: async () => (await import('./month/month.view.tsx')).monthView,
  'number-series': numberSeriesView,
  password: passwordView,
  percent: percentView,
  'permission-tree': async () => (await import('./permission-tree/permission-tree.view.tsx')).permissionTreeView,
  phone: phoneView,
  reference: referenceView,
  references: referencesView,
  'rich-text': async () => (await import('./rich-text/rich-text.view.tsx')).richTextView,
  rows: async () => (await import('./rows/rows.view.tsx')).rowsView,
  secret: secretView,
  text: textView,
  textarea: textareaView,
  texts: textsView,
  tree: async () => (await import('./tree/tree.view.tsx')).treeView,
  uscc: usccView,
}
