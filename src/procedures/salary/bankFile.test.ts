import { expect, test } from 'vitest'
import { bankFile, fixedWidth, type Payment } from './bankFile.ts'

const payment = (lineNo: number, rest: Partial<Payment> = {}): Payment => ({
  lineNo,
  accountName: '林晓演',
  accountNo: '9900010000000123455',
  bank: '北辰示范银行',
  cnapsCode: '991100000012',
  amount: '11684.92',
  summary: '07月工资',
  ...rest,
})

test('writes a table with a header, whose cells a spreadsheet does not read as formulas', async () => {
  const { extension, content } = await bankFile('csv', [
    payment(1),
    payment(2, { accountName: '=1+1', amount: '0.10' }),
  ])
  expect(extension).toBe('csv')
  expect(new TextDecoder().decode(content).split('\r\n')).toEqual([
    '"序号","户名","账号","开户行","联行号","金额","摘要"',
    '"1","林晓演","9900010000000123455","北辰示范银行","991100000012","11684.92","07月工资"',
    '"2","\'=1+1","9900010000000123455","北辰示范银行","991100000012","0.10","07月工资"',
    '',
  ])
})

test('writes lines of fixed width: a header with number and sum in cents, and columns in place', () => {
  const [head, first, second] = fixedWidth([payment(1), payment(2, { accountName: 'Anna', amount: '0.10' })]).split(
    '\r\n',
  )
  expect(head).toBe('H00000002000000001168502')
  expect([first.slice(0, 9), first.slice(41, 56), second.slice(41, 56)]).toEqual([
    'D00000001',
    '000000001168492',
    '000000000000010',
  ])
  const columns = (line: string) =>
    [...line].reduce((sum, character) => sum + (character.charCodeAt(0) > 255 ? 2 : 1), 0)
  expect([columns(first), columns(second)]).toEqual([168, 168])
})

test('a long text does not move what follows it into other columns', () => {
  const [, line] = fixedWidth([
    payment(1, { accountName: `${'林'.repeat(29)}A晓 123456789012`, summary: '工'.repeat(30) }),
  ]).split('\r\n')
  expect(line.slice(56)).toBe(`${'林'.repeat(29)}A 991100000012${'工'.repeat(20)}`)
})
