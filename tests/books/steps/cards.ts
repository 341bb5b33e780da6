import type { World } from '../world.ts'

/** A card number with a valid check digit. */
export function cardNumber(serial: number): string {
  const body = `990001000000${String(serial).padStart(6, '0')}`
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return body + String((10 - (sum % 10)) % 10)
}

/** Gives everybody a wage card before wages are calculated. */
export async function giveCards(world: World): Promise<void> {
  for (const { id, name } of world.model.people) {
    if (world.kept.has(`card ${id}`)) continue
    world.kept.set(`card ${id}`, true)
    await world.post('/bank/personBankCard/create', {
      values: {
        person: id,
        accountName: name,
        accountNo: cardNumber(world.stage.next()),
        bank: world.stage.bank,
        effectiveFrom: '2026-01',
      },
    })
  }
}
