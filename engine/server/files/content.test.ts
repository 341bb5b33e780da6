import { expect, it } from 'vitest'
import { fileTypeOf } from './content.ts'

const head = (...bytes: (number | string)[]) =>
  Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([part]))))

it.each([
  ['png', head(0x89, 'PNG\r\n', 0x1a, '\n')],
  ['jpg', head(0xff, 0xd8, 0xff)],
  ['jpeg', head(0xff, 0xd8, 0xff, 0xe0)],
  ['bmp', head('BM')],
  ['gif', head('GIF89a')],
  ['webp', head('RIFF1234WEBP')],
  ['psd', head('8BPS')],
  ['svg', head('<svg xmlns="x">')],
  ['tiff', head('II*', 0)],
])('%s is recognised as a picture by its first bytes', (extension, begins) => {
  const type = fileTypeOf(`a.${extension.toUpperCase()}`)
  expect(type?.type).toMatch(/^image\//)
  expect([type?.begins(begins), type?.begins(head('<html>'))]).toEqual([true, false])
})
