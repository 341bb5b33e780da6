/**
 * The first `most` UTF-16 units of a text, without half of a character at the end: PostgreSQL's JSON and addresses
 * refuse one.
 */
export function truncateText(text: string, most: number): string {
  const last = text.charCodeAt(most - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? most - 1 : most)
}
