import { expect, test } from 'vitest'
import { networkOf } from './networkOf.ts'

test('maps the addresses of one subscriber to one network, however they are written', () => {
  const same = ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff::', '[2001:db8:1:2::1]:443', '2001:db8:1:2::1%eth0']
  expect(new Set(same.map(networkOf))).toEqual(new Set(['2001:db8:1:2::/64']))
  expect(networkOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
  expect(networkOf('fe80::1')).toBe('fe80:0:0:0::/64')
  expect(['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.1:5001'].map(networkOf)).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.1'])
})

test('keeps IPv6 addresses that embed IPv4 ones, and invalid addresses, distinct', () => {
  const different = ['64:ff9b::1.2.3.4', '64:ff9b::1.2.3.5', '::1', '::2', 'unknown', '']
  expect(new Set(different.map(networkOf)).size).toBe(different.length)
})
