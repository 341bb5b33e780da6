import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { systemUser } from '../../../engine/server/identity/access.ts'
import { createContext } from '../../../engine/server/identity/session.ts'
import { testWholeDemo } from '../../../tests/demo.ts'
import { createSmallDemo } from '../../../tests/smallDemo.ts'
import type { TestServer } from '../../../tests/server.ts'
import { renewalFiles } from './renewals.ts'

let server: TestServer
beforeAll(async () => {
  server = await createSmallDemo()
  const context = createContext(server.runtime, systemUser, 'cn')
  await renewalFiles(context)
})
afterAll(() => server?.close())

testWholeDemo('has a renewal file partly written with common errors, and one waiting', async () => {
  const { kysely } = server.runtime.database
  const {
    rows: [labor],
  } = await sql<{
    status: string
    successCount: number
    failCount: number
  }>`select status, "successCount", "failCount" from "laborRenewalImport"`.execute(kysely)
  expect(labor).toEqual({ status: 'partial', successCount: 3, failCount: 5 })
  const { rows } = await sql<{
    text: string
  }>`select error -> 'message' ->> 'cn' as text from "laborRenewalImportRow", jsonb_array_elements(errors) as error where "rowStatus" = 'failed' order by "rowNo"`.execute(
    kysely,
  )
  const messages = rows.map(({ text }) => text.replace(/[\dA-Z-]{6,}/g, '…')).join('\n')
  for (const part of [
    '续签开始日期必须晚于原合同结束日期',
    '姓名与系统数据不一致',
    '原合同状态“草稿”不能续签',
    '该合同已续签（',
    '与第2行重复',
  ])
    expect(messages).toContain(part)
  const {
    rows: [service],
  } = await sql<{ status: string; failCount: number }>`select status, "failCount" from "serviceRenewalImport"`.execute(
    kysely,
  )
  expect(service).toEqual({ status: 'checked', failCount: 0 })
})
