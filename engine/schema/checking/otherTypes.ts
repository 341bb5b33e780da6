/** What field types are called elsewhere. */
const elsewhere: Readonly<Record<string, string>> = {
  string: 'text',
  str: 'text',
  varchar: 'text',
  longtext: 'textarea',
  multiline: 'textarea',
  number: 'decimal',
  float: 'decimal',
  double: 'decimal',
  numeric: 'decimal',
  int: 'integer',
  bool: 'boolean',
  checkbox: 'boolean',
  switch: 'boolean',
  select: 'choice',
  enum: 'choice',
  dropdown: 'choice',
  radio: 'choice',
  multiselect: 'choices',
  timestamp: 'datetime',
  currency: 'money',
  amount: 'money',
  price: 'money',
  lookup: 'reference',
  relation: 'reference',
  table: 'rows',
  percentage: 'percent',
  attachment: 'file',
  html: 'rich-text',
  picture: 'image',
  mobile: 'phone',
  tel: 'phone',
  object: 'json',
}

/** The type that one of another name means, if it is among these. */
export function otherType(found: string, types: readonly string[]): string | undefined {
  const type = Object.hasOwn(elsewhere, found.toLowerCase()) ? elsewhere[found.toLowerCase()] : undefined
  return type !== undefined && types.includes(type) ? type : undefined
}
