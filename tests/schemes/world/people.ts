/** Made-up members of the ten schemes. */
export interface Member {
  joins: string
  idNumber: string
  gender: string
  birthDate: string
  entryDate: string
  nationality: string
  workerKind: string
  /** The last working day, for leavers. */
  leaves?: string
  takes: string[]
  /** Family → its first paid month; the next fields hold the declared base and the choices. */
  start: Record<string, string>
  bases: Record<string, string>
  choices: Record<string, Record<string, string | boolean>>
  firstChoices: Record<string, Record<string, string | boolean>>
  /** A change of the deferral rate. */
  changes?: { month: string; personalRate: string }
  entered(month: string): { attendedDays?: string; additionalWages?: string }
}

/** Numbers that are the same for the same seed. */
function numbersFrom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
const pad = (value: number) => String(value).padStart(2, '0')
const monthAfter = (month: string, by: number) => {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + by
  return `${Math.floor(index / 12)}-${pad((index % 12) + 1)}`
}

export function peopleOf(seed: number, count: number): Member[] {
  const next = numbersFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]
  return Array.from({ length: count }, (_, index): Member => {
    // The first is long employed, the second joins later, the third leaves, and all others are random.
    const isNew = index === 1 || (index > 2 && next(3) === 0)
    const joins = isNew ? `2026-${pad(2 + next(4))}` : '2026-01'
    const entryDate = isNew ? `${joins}-03` : `${2019 + next(6)}-${pad(1 + next(8))}-15`
    const leaves = index === 2 || (index > 2 && next(4) === 0) ? `2026-${pad(8 + next(4))}-15` : undefined
    const workerKind = index % 4 === 3 ? 'partTime' : 'regular'
    const nationality = pick(['新加坡', '中国', '新加坡'])
    const salary = () =>
      `${pick([400, 620, 2500, 6800, 7100, 9000, 14_000, 26_000, 36_000]) + next(90)}.${pad(next(100))}`
    const takes = [
      'hongkongmpf',
      'singaporecpf',
      'retirementplan',
      'germansocial',
      'unionfee',
      'groupmedical',
      'mealallowance',
      'physicalexam',
      'relocation',
      ...(workerKind === 'regular' ? ['enterpriseannuity'] : []),
    ]
    const waits: Record<string, number> = { retirementplan: 3, enterpriseannuity: 6 }
    const startOf = (family: string) => [joins, monthAfter(entryDate.slice(0, 7), waits[family] ?? 0)].sort().at(-1)!
    const chosen = (): Member['choices'] => ({
      retirementplan: { deferralCompanyRate: '50', deferralPersonalRate: pick(['3', '5', '10.5', '15']) },
      enterpriseannuity: { annuityCompanyRate: pick(['2', '5', '8']), annuityPersonalRate: pick(['1', '2.5', '4']) },
      germansocial: { germanCareTier: pick(['parent', 'childless']) },
      unionfee: { unionDuesOn: next(2) === 0 },
      // Choosing a tier implies taking part.
      groupmedical: next(2) === 0 ? { groupFamilyOn: true, groupFamilyTier: pick(['one', 'two', 'spouseChild']) } : {},
    })
    const choices = chosen()
    const based = ['hongkongmpf', 'singaporecpf', 'retirementplan', 'germansocial', 'unionfee', 'enterpriseannuity']
    const days = 15 + next(8)
    const bonus = String(pick([5000, 30_000, 90_000]))
    const start = Object.fromEntries(takes.map((family) => [family, startOf(family)]))
    return {
      joins,
      idNumber: `E${pad(seed % 100)}${String(10_000 + index)}`,
      gender: pick(['male', 'female']),
      birthDate: `${pick([1959, 1961, 1966, 1971, 1976, 1986, 1998]) + next(3)}-${pad(1 + next(12))}-${pad(1 + next(28))}`,
      entryDate,
      nationality,
      workerKind,
      ...(leaves && { leaves }),
      takes: leaves ? takes.filter((family) => start[family] <= leaves.slice(0, 7)) : takes,
      start,
      bases: Object.fromEntries(based.filter((family) => takes.includes(family)).map((family) => [family, salary()])),
      choices,
      firstChoices: structuredClone(choices),
      ...(index % 2 === 0 && { changes: { month: `2026-${pad(5 + next(3))}`, personalRate: pick(['1', '12', '15']) } }),
      entered: (month) => ({
        attendedDays: String(days + (Number(month.slice(5)) % 3) / 2),
        ...(['2026-03', '2026-11'].includes(month) && { additionalWages: bonus }),
      }),
    }
  })
}
