const digits = [...'零壹贰叁肆伍陆柒捌玖']
const places = ['', '拾', '佰', '仟']
const groups = ['', '万', '亿', '万亿']

/**
 * An amount in words as on Chinese documents, `12345.60` → 壹万贰仟叁佰肆拾伍元陆角整.
 * @param amount not negative, with at most two decimals, below 10¹⁶
 */
export function amountInWords(amount: string): string {
  const [whole, fraction = ''] = amount.split('.')
  const yuan = integerInWords(whole.replace(/^0+/, ''))
  const [jiao, fen] = [Number(fraction[0] ?? 0), Number(fraction[1] ?? 0)]
  const head = yuan === '' ? '' : `${yuan}元`
  if (jiao === 0 && fen === 0) return head === '' ? '零元整' : `${head}整`
  // A gap between yuan and fen is read out.
  const tenths = jiao > 0 ? `${digits[jiao]}角` : head === '' ? '' : '零'
  return head + tenths + (fen > 0 ? `${digits[fen]}分` : '整')
}

function integerInWords(number: string): string {
  let words = ''
  let gap = false
  for (let index = 0; index < number.length; index++) {
    const place = number.length - 1 - index
    const digit = Number(number[index])
    if (digit === 0) gap = true
    else {
      words += (gap && words !== '' ? '零' : '') + digits[digit] + places[place % 4]
      gap = false
    }
    const endsGroup = place % 4 === 0 && place > 0
    if (endsGroup && /[1-9]/.test(number.slice(Math.max(0, index - 3), index + 1))) words += groups[place / 4]
  }
  return words
}
