/** Requests other than JSON from a signed-in user: sign-ins, and uploads as multipart. */
import type { FuzzedRequest } from './FuzzedRequest.ts'
import type { Random } from './random.ts'
import { anyText, anyValue } from './values.ts'

/** Everyone but the administrator, whose sign-in the run itself needs. */
const names = ['fuzzsupport', 'FUZZSUPPORT ', 'fuzzauditor', 'fuzzfinanceManager', 'nobody', 'address', '张三']
/** Uppercase MD5 as the client sends it, and a text that only looks like one. */
const passwords = [
  'D41D8CD98F00B204E9800998ECF8427E',
  '5F4DCC3B5AA765D61D8327DEB882CF99',
  'd41d8cd98f00b204e9800998ecf8427e',
]

/** A sign-in with texts, other values, or an invalid body. */
export function signIn(random: Random): FuzzedRequest {
  const text = (usual: readonly string[]): unknown =>
    random.chance(0.5) ? random.pick(usual) : random.chance(0.7) ? anyText(random) : anyValue(random)
  const named = text(names)
  const body: Record<string, unknown> = {
    username: typeof named === 'string' && named.trim().toLowerCase() === 'admin' ? 'nobody' : named,
    password: text(passwords),
  }
  if (random.chance(0.05)) delete body[random.pick(['username', 'password'])]
  if (random.chance(0.1)) body[anyText(random).slice(0, 60)] = anyValue(random)
  const json = JSON.stringify(random.chance(0.97) ? body : anyValue(random))
  const isForm = random.chance(0.05)
  return {
    method: 'POST',
    url: '/api/vue-element-admin/user/login',
    body: random.chance(0.03) ? json.slice(0, random.below(json.length)) : isForm ? 'username=a&password=b' : json,
    headers: {
      ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(random.chance(0.1) && { 'x-forwarded-for': headerText(random) }),
      ...(random.chance(0.1) && { 'user-agent': headerText(random) }),
      ...(random.chance(0.1) && { language: headerText(random) }),
    },
    // Guesses are counted by address: from one alone, all but the first would be refused.
    remoteAddress: `10.${random.below(200)}.${random.below(200)}.${1 + random.below(200)}`,
  }
}

/** A text that a header can carry. */
const headerText = (random: Random): string =>
  anyText(random)
    .replaceAll(/[^\u0020-\u007e]/g, '?')
    .slice(0, 300)

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const contents: Buffer[] = [
  png,
  png.subarray(0, 20),
  Buffer.alloc(0),
  Buffer.from('PK\u0003\u0004'),
  Buffer.from('%PDF-1.4\n%%EOF'),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
  Buffer.from([0, 255, 254, 0, 0xd8, 0]),
  Buffer.alloc(70_000, 'x'),
]
const files = [
  'a.png',
  'a.pdf',
  'a.xlsx',
  'a.svg',
  '../../a.png',
  'C:\\a.png',
  '.png',
  'a',
  'a.png\u0000.exe',
  '"a".png',
  '图片.png',
]
const types = ['image/png', 'application/pdf', 'text/html', 'image/svg+xml', '', 'x', 'image/png; charset=x']
const settings = ['{}', '{"field":"licenseImage"}', '{"entity":"customer","field":"licenseImage"}', 'null', '[]', '{']

/** Parts that are missing, repeated, unnamed, unterminated, or separated by another boundary. */
export function upload(random: Random): FuzzedRequest {
  const boundary = random.chance(0.95) ? '----fuzz' : 'x'.repeat(1 + random.below(90))
  const some = (usual: readonly string[]): string => (random.chance(0.6) ? random.pick(usual) : anyText(random))
  const good = () => [Buffer.from('Content-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'), png]
  const file = (): Buffer =>
    random.chance(0.3)
      ? Buffer.concat(good())
      : Buffer.concat([
          Buffer.from(
            `Content-Disposition: form-data; name="${random.chance(0.9) ? 'file' : anyText(random)}"; filename${random.chance(0.1) ? "*=UTF-8''" : '='}"${some(files)}"\r\n` +
              (random.chance(0.9) ? `Content-Type: ${some(types)}\r\n` : '') +
              '\r\n',
          ),
          random.pick(contents),
        ])
  const field = (): Buffer =>
    Buffer.from(
      `Content-Disposition: form-data; name="${random.chance(0.8) ? 'json' : anyText(random)}"\r\n\r\n${some(settings)}`,
    )
  const parts: Buffer[] = []
  if (random.chance(0.5)) parts.push(field())
  if (random.chance(0.92)) parts.push(file())
  if (random.chance(0.1)) parts.push(random.chance(0.5) ? file() : field())
  if (random.chance(0.03)) parts.push(...Array.from({ length: 40 }, field))
  const whole = Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from(random.chance(0.95) ? `--${boundary}--\r\n` : ''),
  ])
  const boundaryParameter = random.chance(0.97)
    ? `; boundary=${boundary}`
    : random.pick(['', '; boundary=', '; boundary=other'])
  return {
    method: 'POST',
    url: '/api/common/upload',
    body: random.chance(0.05) ? whole.subarray(0, random.below(whole.length + 1)) : whole,
    headers: {
      'content-type': `multipart/form-data${boundaryParameter}`,
      ...(random.chance(0.4) && { 'idempotency-key': `upload ${random.below(random.chance(0.3) ? 10 : 1_000_000)}` }),
    },
  }
}
