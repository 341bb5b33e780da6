/** All field types: the React halves, loaded on first render. */
import { arrive } from '../client/lazy.ts'
import type { LazyView, WidgetView } from '../client/view.ts'
import { ChoiceDisplay } from './choice/ChoiceDisplay.tsx'
import { ChoicesDisplay } from './choices/ChoicesDisplay.tsx'

const plains: LazyView[] = []
function plain(name: keyof typeof import('./plainViews.ts')): LazyView {
  const load = async () => (await import('./plainViews.ts'))[name]
  plains.push(load)
  return load
}

/** For screens whose first sight consists of them. */
export const loadPlainViews = () => Promise.all(plains.map(arrive))

/** With what lists draw before the view is loaded, or for which they load it. */
const celled = (load: () => Promise<WidgetView>, Cell: LazyView['Cell']): LazyView => Object.assign(load, { Cell })

export const widgetViews: Record<string, WidgetView | LazyView> = {
  bankaccount: plain('bankaccountView'),
  boolean: plain('booleanView'),
  choice: celled(plain('choiceView'), ChoiceDisplay),
  choices: celled(plain('choicesView'), ChoicesDisplay),
  date: async () => (await import('./date/date.view.tsx')).dateView,
  datetime: async () => (await import('./datetime/datetime.view.tsx')).datetimeView,
  decimal: plain('decimalView'),
  email: plain('emailView'),
  file: celled(async () => (await import('./file/file.view.tsx')).fileView, true),
  idcard: plain('idcardView'),
  image: celled(async () => (await import('./image/image.view.tsx')).imageView, true),
  integer: plain('integerView'),
  json: async () => (await import('./json/json.view.tsx')).jsonView,
  money: plain('moneyView'),
  month: async () => (await import('./month/month.view.tsx')).monthView,
  'number-series': plain('numberSeriesView'),
  password: plain('passwordView'),
  percent: plain('percentView'),
  'permission-tree': async () => (await import('./permission-tree/permission-tree.view.tsx')).permissionTreeView,
  phone: plain('phoneView'),
  reference: plain('referenceView'),
  references: plain('referencesView'),
  'rich-text': async () => (await import('./rich-text/rich-text.view.tsx')).richTextView,
  rows: async () => (await import('./rows/rows.view.tsx')).rowsView,
  secret: plain('secretView'),
  text: plain('textView'),
  textarea: plain('textareaView'),
  texts: plain('textsView'),
  tree: async () => (await import('./tree/tree.view.tsx')).treeView,
  uscc: plain('usccView'),
}
