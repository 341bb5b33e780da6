import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { secretKey } from './secrets.ts'

describe('the key of secrets', () => {
  it('is created once, readable by its owner alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'formwork-key-'))
    const key = secretKey(folder)
    expect(key.length).toBe(32)
    expect(secretKey(folder).equals(key)).toBe(true)
    expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'secret.key'), 'utf8').trim()).toBe(key.toString('base64'))
    rmSync(folder, { recursive: true })
  })
})
