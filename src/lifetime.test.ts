import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'

/** A process that runs `program` until it receives `signal` or ends. */
async function run(program: string, signal?: 'SIGTERM') {
  const source = `import { lifetime } from ${JSON.stringify(resolve('src/lifetime.ts'))}
    ${program}
    setInterval(() => {}, 1000)
    console.log('ready')`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => {
    complaints += data.toString()
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    if (line === 'ready' && signal) child.kill(signal)
  })
  const [code] = await once(child, 'close')
  return { code, lines, complaints }
}

it('ends on a signal once everything is closed', async () => {
  const closing = "lifetime().closeWith(async () => { console.log('closed') })"
  expect(await run(closing, 'SIGTERM')).toMatchObject({ code: 0, lines: ['ready', 'closed'], complaints: '' })
})

it('ends within its limit even if something never closes', async () => {
  const { code, complaints } = await run('lifetime(200).closeWith(() => new Promise(() => {}))', 'SIGTERM')
  expect([code, complaints]).toEqual([1, expect.stringContaining('did not end in good order within 0.2 s')])
})

it.each([
  ['a failure that nobody waits for', "void Promise.reject(new Error('oops'))", 'A failure that nobody waited for'],
  ['an error that nobody catches', "setTimeout(() => { throw new Error('oops') })", 'An error that nobody caught'],
])('logs and counts %s, and ends when its work is done', async (_name, fails, complaint) => {
  const { code, lines, complaints } = await run(`const life = lifetime()
    life.closeWith(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      console.log('work done', life.faults())
    })
    ${fails}`)
  expect([code, lines]).toEqual([1, ['ready', 'work done 1']])
  expect(complaints).toContain(complaint)
  expect(complaints).toContain('oops')
})
