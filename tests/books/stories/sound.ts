import type { Story } from '../story.ts'

/** Two months without faults: two people with wages, insurance, statement, money and invoice. */
export const sound: Story = {
  fees: [{ mode: 'perHead', minimum: '500' }],
  steps: [
    { do: 'join', customer: 0, base: '12000', salary: '9000', days: -4, late: 0 },
    { do: 'join', customer: 0, base: '8765.5', salary: '30000', days: -4, late: 0 },
    { do: 'handleAll' },
    { do: 'balance' },
    { do: 'bill', months: 0 },
    { do: 'pass', days: 31 },
    { do: 'payroll', customer: 0, back: 1, isBonus: false, other: false, second: false },
    { do: 'wage', at: 0, line: 0, extra: '1000', missing: '4.5', deduct: '250' },
    { do: 'finish', at: 0 },
    { do: 'balance' },
    { do: 'lock', at: 0 },
    { do: 'lock', at: 4 },
    { do: 'lock', at: 8 },
    { do: 'bill', months: 0 },
    { do: 'statement', at: 1, action: 'confirm' },
    { do: 'pay', at: 0 },
    { do: 'batch', at: 0, action: 'submit' },
    { do: 'batch', at: 0, action: 'approve' },
    { do: 'batch', at: 0, action: 'send' },
    { do: 'bankSays', at: 0, result: 'success' },
    { do: 'receive', at: 0, amount: '30000.5' },
    { do: 'match', at: 0, which: 0, part: 2 },
    { do: 'requestInvoice', at: 0 },
    { do: 'invoice', at: 0, action: 'issue' },
    { do: 'fileAll' },
    { do: 'close', back: 1 },
  ],
}
