/** Whether a field's name fits a pattern such as `*Company`. */
export function fitsPattern(name: string, pattern: string): boolean {
  const [first, ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return name === first
  let at = first.length
  for (const part of others) {
    const next = name.indexOf(part, at + 1)
    if (next < 0) return false
    at = next + part.length
  }
  return name.startsWith(first) && name.endsWith(last) && name.length > at + last.length
}
