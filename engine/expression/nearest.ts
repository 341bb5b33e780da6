/**
 * The name that was probably meant: at most one typo (a letter wrong, missing, doubled, or two swapped) for every three
 * letters.
 */
export const nearestName = (name: string, names: Iterable<string>): string | undefined =>
  near(name, names)[0]?.candidate ?? onlyContinued(name, names) ?? onlyOfStem(name, names)

/** The only name that begins with this one: `insured` of `insuredUntil`. */
function onlyContinued(name: string, names: Iterable<string>): string | undefined {
  const found =
    name.length < 4
      ? []
      : [...new Set(names)].filter((each) => each.startsWith(name) && /^[A-Z]/.test(each.slice(name.length)))
  return found.length === 1 ? found[0] : undefined
}

/** The only name that starts like this one but ends differently: `state` for `status`. */
function onlyOfStem(name: string, names: Iterable<string>): string | undefined {
  const found = [...new Set(names)].filter((each) => {
    const [rest, other] = [name, each].map((whole) => whole.slice(startOf(name, each)))
    return startOf(name, each) >= 4 && /^[a-z]{0,2}$/.test(rest) && /^[a-z]{0,2}$/.test(other)
  })
  return found.length === 1 ? found[0] : undefined
}

/** How many letters two words have in common at their start. */
function startOf(word: string, other: string): number {
  let length = 0
  while (length < word.length && word[length] === other[length]) length++
  return length
}

/** Whether the nearest name is the only plausible one: the next would need more than twice as many typos. */
export function isAlone(name: string, names: Iterable<string>): boolean {
  const [nearest, next] = near(name, names)
  return nearest !== undefined && (next === undefined || next.slips > 2 * nearest.slips)
}

function near(name: string, names: Iterable<string>): { candidate: string; slips: number }[] {
  const most = Math.max(1, Math.floor(name.length / 3))
  const found: { candidate: string; slips: number }[] = []
  for (const candidate of new Set(names)) {
    if (Math.abs(candidate.length - name.length) > most) continue
    const slips = distance(name.toLowerCase(), candidate.toLowerCase())
    if (slips <= most && haveLikeParts(name, candidate)) found.push({ candidate, slips })
  }
  // Among equally near names, prefers one that extends this name or that this name extends.
  const isOther = ({ candidate }: (typeof found)[number]) => !candidate.startsWith(name) && !name.startsWith(candidate)
  return found.sort((a, b) => a.slips - b.slips || Number(isOther(a)) - Number(isOther(b)))
}

/**
 * `vehicle.list` is not a misspelt `notice.list`, nor `decidedBy` a misspelt `decidedAt`: if two names have equally
 * many parts, each part must be near its counterpart.
 */
function haveLikeParts(name: string, candidate: string): boolean {
  return [/[^A-Za-z0-9]+/, /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/].every((ends) => {
    const [parts, others] = [name, candidate].map((whole) => whole.split(ends))
    if (parts.length < 2 || parts.length !== others.length) return true
    return parts.every((part, index) => isLike(part.toLowerCase(), others[index].toLowerCase()))
  })
}

/** A part that has nothing in common with its counterpart is a different word. */
function isLike(part: string, other: string): boolean {
  const slips = distance(part, other)
  const isReplaced = part.length > 1 && slips >= Math.max(part.length, other.length)
  return slips <= Math.max(2, Math.floor(part.length / 3)) && !isReplaced
}

/** Edit distance between two words: one letter inserted, removed or replaced, or two neighbours swapped. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1)
    }
  }
  return rows[a.length][b.length]
}
