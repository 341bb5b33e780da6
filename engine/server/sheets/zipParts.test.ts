import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { unzipTexts, zipParts } from './zipParts.ts'

async function zipped(...given: Parameters<typeof zipParts>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of zipParts(...given)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('the same parts give the same archive, with their names and texts', async () => {
  const parts = () => [
    { name: '张三/身份证.txt', content: ['正面', Buffer.from('反面')] },
    { name: 'empty.txt', content: [] },
  ]
  const archive = await zipped(parts())
  expect([...(await unzipTexts(archive))]).toEqual([
    ['张三/身份证.txt', '正面反面'],
    ['empty.txt', ''],
  ])
  expect((await zipped(parts())).equals(archive)).toBe(true)
})

test('a part that fails makes the archive fail, and later parts are not read', async () => {
  let wasRead = false
  const failing = (async function* () {
    yield 'begun'
    throw new Error('gone')
  })()
  const later = (async function* () {
    wasRead = true
    yield ''
  })()
  await expect(
    zipped([
      { name: 'a', content: failing },
      { name: 'b', content: later },
    ]),
  ).rejects.toThrow('gone')
  expect(wasRead).toBe(false)
})

test('ends the part being read when reading the archive stops', async () => {
  let ended = false
  const endless = async function* () {
    try {
      // Random bytes, so that the part stays long when compressed.
      for (;;) yield crypto.getRandomValues(Buffer.alloc(65_536))
    } finally {
      ended = true
    }
  }
  for await (const chunk of zipParts([{ name: 'a', content: endless() }])) if ((chunk as Buffer).length > 0) break
  await expect.poll(() => ended).toBe(true)
})
