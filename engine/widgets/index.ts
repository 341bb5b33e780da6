/** All field types: the pure halves. The React halves are listed in views.ts. */
import type { Widget } from '../model/model.ts'
import { bankaccount } from './bankaccount/bankaccount.ts'
import { boolean } from './boolean/boolean.ts'
import { choice } from './choice/choice.ts'
import { choices } from './choices/choices.ts'
import { date } from './date/date.ts'
import { datetime } from './datetime/datetime.ts'
import { decimal } from './decimal/decimal.ts'
import { email } from './email/email.ts'
import { file } from './file/file.ts'
import { idcard } from './idcard/idcard.ts'
import { image } from './image/image.ts'
import { integer } from './integer/integer.ts'
import { json } from './json/json.ts'
import { money } from './money/money.ts'
import { month } from './month/month.ts'
import { numberSeries } from './number-series/number-series.ts'
import { password } from './password/password.ts'
import { percent } from './percent/percent.ts'
import { permissionTree } from './permission-tree/permission-tree.ts'
import { phone } from './phone/phone.ts'
import { reference } from './reference/reference.ts'
import { references } from './references/references.ts'
import { richText } from './rich-text/rich-text.ts'
import { rows } from './rows/rows.ts'
import { secret } from './secret/secret.ts'
import { text } from './text/text.ts'
import { textarea } from './textarea/textarea.ts'
import { texts } from './texts/texts.ts'
import { tree } from './tree/tree.ts'
import { uscc } from './uscc/uscc.ts'

const all: Widget[] = [
  bankaccount,
  boolean,
  choice,
  choices,
  date,
  datetime,
  decimal,
  email,
  file,
  idcard,
  image,
  integer,
  json,
  money,
  month,
  numberSeries,
  password,
  percent,
  permissionTree,
  phone,
  reference,
  references,
  richText,
  rows,
  secret,
  text,
  textarea,
  texts,
  tree,
  uscc,
]

export const widgets: Record<string, Widget> = Object.fromEntries(all.map((widget) => [widget.type, widget]))
