import { truncateText } from '../../../model/truncateText.ts'
import { pinyin } from 'pinyin-pro'

/** A longer text is prose, and nobody searches it by its initials. */
const longest = 200

/**
 * What `search` is matched against: the texts themselves, their pinyin and its initials, in lower case, each on its own
 * line, so that no match spans two of them. 重庆银行 → `重庆银行`, `chongqingyinhang`, `cqyh`.
 */
export function searchText(texts: readonly (string | null | undefined)[]): string {
  const lines = new Set<string>()
  for (const text of texts) {
    if (!text) continue
    const line = truncateText(text.toLowerCase().replace(/\s+/g, ' '), longest)
    lines.add(line)
    if (!/\p{Script=Han}/u.test(line)) continue
    const syllables = pinyin(line, { toneType: 'none', type: 'array' }).filter((syllable) => syllable.trim() !== '')
    lines.add(syllables.join(''))
    lines.add(syllables.map((syllable) => String.fromCodePoint(syllable.codePointAt(0)!)).join(''))
  }
  return [...lines].join('\n')
}
