import { Agent, type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture, upload } from '../../../tests/customer.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
let port: number
const agent = new Agent({ keepAlive: false })
beforeAll(async () => {
  house = await createTestServer()
  await house.server.listen({ host: '127.0.0.1', port: 0 })
  port = (house.server.server.address() as AddressInfo).port
})
afterAll(async () => {
  agent.destroy()
  await house?.close()
})

const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n')
const tail = Buffer.from('\r\n--b--\r\n')

/** An upload of which the server has received the beginning. */
async function begun(): Promise<ClientRequest> {
  const headers = {
    token: house.admin.token,
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': head.length + picture.length + tail.length,
  }
  const options = { agent, port, host: '127.0.0.1', method: 'POST', path: '/api/common/upload', headers }
  const arrived = new Promise((resolve) => house.server.server.once('request', resolve))
  const sent = request(options)
  sent.on('error', () => {})
  sent.write(head)
  await arrived
  return sent
}
const ended = (sent: ClientRequest) =>
  new Promise<number | undefined>((resolve) => {
    sent.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode)))
    sent.end(Buffer.concat([picture, tail]))
  })

test('aborted uploads free their turn for others, even before it came', async () => {
  // Four uploads of a user run at once, and the others wait.
  for (let round = 0; round < 3; round++) {
    const [broken, ...running] = [await begun(), await begun(), await begun(), await begun()]
    const waiting = [await begun(), await begun(), await begun(), await begun(), await begun()]
    const gone = waiting.slice(0, 4)
    const closed = [...gone, broken].map((sent) => new Promise((resolve) => sent.once('close', resolve)))
    for (const sent of [...gone, broken]) sent.destroy()
    await Promise.all(closed)
    expect(await Promise.all(running.map(ended))).toEqual([200, 200, 200])
    expect(await ended(waiting[4])).toBe(200)
  }
  expect(await upload(house, house.admin, 'b.png', picture)).toMatchObject({ code: 1 })
})
