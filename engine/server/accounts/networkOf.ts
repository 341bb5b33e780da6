import { isIPv6 } from 'node:net'

/** The prefix that one IPv6 subscriber has; IPv4-mapped addresses belong to one subscriber each. */
const subscriberGroups = 4
const ofVersion4 = new Set(['0:0:0:0', '64:ff9b:0:0'])

/**
 * The network whose failed attempts are counted together: an IPv4 address (some proxies add the port), or an IPv6
 * network, because one subscriber has 2^64 addresses.
 */
export function networkOf(address: string): string {
  const version4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i.exec(address)
  if (version4) return version4[1]
  const plain = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, '')
  if (!isIPv6(plain)) return address
  // Normalised, without dots.
  const written = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head, tail] = written.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const groups = tail ? [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head
  const network = groups.slice(0, subscriberGroups).join(':')
  return ofVersion4.has(network) ? groups.join(':') : `${network}::/64`
}
