import type { Random } from './random.ts'

/**
 * Numbers that pass every check and belong to nobody, because their region and prefixes are not assigned (domain
 * dictionary, 8.2 and 8.3).
 */

const usccAlphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const usccKinds: Record<string, string> = {
  enterprise: '91',
  branch: '91',
  soleTrader: '92',
  institution: '12',
  government: '11',
  socialOrg: '52',
  overseas: '91',
}

/** Unified social credit code: kind, region 9901nn, organisation code with its own check, and the check character. */
export function uscc(random: Random, customerType: string): string {
  const organisation = Array.from({ length: 8 }, () => random.pick([...usccAlphabet])).join('')
  const body = `${usccKinds[customerType] ?? '91'}9901${String(random.integer(1, 99)).padStart(2, '0')}${organisation}${organisationCheck(organisation)}`
  return body + usccCheck(body)
}

export function organisationCheck(code: string): string {
  const weights = [3, 7, 9, 10, 5, 8, 4, 2]
  const sum = [...code].reduce((total, character, index) => total + Number.parseInt(character, 36) * weights[index], 0)
  const check = 11 - (sum % 11)
  return check === 10 ? 'X' : check === 11 ? '0' : String(check)
}

export function usccCheck(body: string): string {
  let weight = 1
  let sum = 0
  for (const character of body) {
    sum += usccAlphabet.indexOf(character) * weight
    weight = (weight * 3) % 31
  }
  return usccAlphabet[(31 - (sum % 31)) % 31]
}

const mobilePrefixes = ['154', '160', '161', '163', '164', '168', '169']
export const mobile = (random: Random): string => random.pick(mobilePrefixes) + random.digits(8)
export const landline = (random: Random): string => `000-5550${random.digits(4)}`
/** Company accounts have no check digit. */
export const companyAccount = (random: Random): string => `99${random.integer(1, 5)}${random.digits(13)}`

/** A personal card: a prefix that no bank has, and the check digit. */
export function personalCard(random: Random): string {
  const body = `990001${random.digits(12)}`
  const sum = [...body]
    .reverse()
    .reduce(
      (total, digit, index) =>
        total + (index % 2 === 1 ? Number(digit) : Number(digit) > 4 ? Number(digit) * 2 - 9 : Number(digit) * 2),
      0,
    )
  return body + String((10 - (sum % 10)) % 10)
}

const idWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
/**
 * A resident number: region 9901nn, the date of birth `yyyy-MM-dd`, an odd 17th digit for a man, and the check
 * character.
 */
export function idNumber(random: Random, birthDate: string, gender: 'male' | 'female'): string {
  const order = random.integer(0, 99) * 10 + random.integer(0, 4) * 2 + (gender === 'male' ? 1 : 0)
  const body = `9901${String(random.integer(1, 99)).padStart(2, '0')}${birthDate.replaceAll('-', '')}${String(order).padStart(3, '0')}`
  return body + '10X98765432'[[...body].reduce((sum, digit, index) => sum + Number(digit) * idWeights[index], 0) % 11]
}
