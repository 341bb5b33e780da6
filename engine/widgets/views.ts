/** All field types: the React halves, loaded on first render. */
import { arrive } from '../client/lazy.ts'
import type { LazyView, WidgetView } from '../client/view.ts'
import { ChoiceDisplay } from './choice/ChoiceDisplay.tsx'
import { ChoicesDisplay } from './choices/ChoicesDisplay.tsx'

const commons: LazyView[] = []
function common(name: keyof typeof import('./commonViews.ts')): LazyView {
  const load = async () => (await import('./commonViews.ts'))[name]
  commons.push(load)
  return load
}

/** For screens that cannot be drawn without them. */
export const loadCommonViews = () => Promise.all(commons.map(arrive))

/** With what lists draw before the view is loaded, or for which they load it. */
const withCell = (load: () => Promise<WidgetView>, Cell: LazyView['Cell']): LazyView => Object.assign(load, { Cell })

export const widgetViews: Record<string, WidgetView | LazyView> = {
  bankaccount: common('bankaccountView'),
  boolean: common('booleanView'),
  choice: withCell(common('choiceView'), ChoiceDisplay),
  choices: withCell(common('choicesView'), ChoicesDisplay),
  date: async () => (await import('./date/date.view.tsx')).dateView,
  datetime: async () => (await import('./datetime/datetime.view.tsx')).datetimeView,
  decimal: common('decimalView'),
  email: common('emailView'),
  file: withCell(async () => (await import('./file/file.view.tsx')).fileView, true),
  idcard: common('idcardView'),
  image: withCell(async () => (await import('./image/image.view.tsx')).imageView, true),
  integer: common('integerView'),
  json: async () => (await import('./json/json.view.tsx')).jsonView,
  money: common('moneyView'),
  month: async () => (await import('./month/month.view.tsx')).monthView,
  'number-series': common('numberSeriesView'),
  password: common('passwordView'),
  percent: common('percentView'),
  'permission-tree': async () => (await import('./permission-tree/permission-tree.view.tsx')).permissionTreeView,
  phone: common('phoneView'),
  reference: common('referenceView'),
  references: common('referencesView'),
  'rich-text': async () => (await import('./rich-text/rich-text.view.tsx')).richTextView,
  rows: async () => (await import('./rows/rows.view.tsx')).rowsView,
  secret: common('secretView'),
  text: common('textView'),
  textarea: common('textareaView'),
  texts: common('textsView'),
  tree: async () => (await import('./tree/tree.view.tsx')).treeView,
  uscc: common('usccView'),
}
