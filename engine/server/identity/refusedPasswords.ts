import { md5 } from './passwords.ts'

/** Common passwords that satisfy the rule, or whose digest does not show that they break it. */
const common = `
  123 1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789 987654321 87654321 654321 111111 11111111
  000000 00000000 666666 66666666 888888 88888888 999999 123123 123123123 112233 11223344 147258369 123321 520520
  5201314 1314520 abc123 abc12345 abc123456 abcd1234 abcd123456 a123456 a1234567 a12345678 a123456789 aa123456
  aa123456789 qq123456 qwe123 qwe12345 qwe123456 qwer1234 qwerty qwerty123 qwertyuiop 1q2w3e4r 1q2w3e4r5t 1qaz2wsx
  zxc123456 zxcvbnm asd123456 asdfghjkl password password1 password12 password123 password1234 passw0rd p@ssw0rd
  p@ssword1 p@ssw0rd123 admin admin1 admin12 admin123 admin1234 admin12345 admin123456 admin@123 admin888 administrator
  root root123 root1234 root@123 test test123 test1234 user user123 user1234 guest welcome welcome1 welcome123 letmein
  letmein1 changeme changeme1 default default1 iloveyou iloveyou1 woaini woaini1314 woaini520 woaini123 secret secret123
  formwork formwork1 formwork123 company123 system123 manager1 manager123 hello123 hello1234 monkey123 dragon123
  abc@1234 abc@12345 abcd@1234 abc!1234 test@123 pass@123 pass@1234 pass@word1 qwer@1234 a@123456 aa@123456
`
  .trim()
  .split(/\s+/)

/** The word itself, and the usual variants that satisfy a rule. */
const spellings = (word: string): string[] => [
  ...new Set([word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]),
]

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))

let refused: ReadonlySet<string> | undefined

/** Digests of the empty password, of one or two characters, and of the words above. */
const refusedDigests = (): ReadonlySet<string> =>
  (refused ??= new Set(
    [
      '',
      ...printable,
      ...printable.flatMap((first) => printable.map((second) => first + second)),
      ...common.flatMap(spellings),
    ].map(md5),
  ))

/**
 * Whether this is the digest of a common password, or of one of the user's own names.
 * @param digest uppercase MD5 hex
 */
export const isRefused = (digest: string, names: readonly string[]): boolean =>
  refusedDigests().has(digest) ||
  names.some((name) => [...spellings(name), name.toLowerCase()].some((word) => md5(word) === digest))
